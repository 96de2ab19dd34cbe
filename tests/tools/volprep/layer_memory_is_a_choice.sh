# Layer memory is a choice.
# grep: eight layers of 64 x 64 voxels
volprep --make noise --dims 64,64,8 --size 1mm --layer-memory 128KiB -o n.vpk
s=0
volprep --make noise --dims 64,64,8 --size 1mm --layer-memory 131071 -o n.vpk || s=$?
test $s = 3
s=0
volprep n.vpk --layer-memory 131071 -o m.vpk || s=$?
test $s = 3
