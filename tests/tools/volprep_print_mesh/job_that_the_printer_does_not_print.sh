# Job that the printer does not print.
# grep: a printer does not take this format
# grep: t.ply: Stratasys J750 does not print this job: 21 slices
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
s=0
volprep t.ply --print-mesh --colour '#804020' --materials elek2017 --export a.mha || s=$?
test $s = 2
s=0
volprep t.ply --print-mesh --size ,,.5mm --colour '#804020' --materials elek2017 --printer j750 -o v.vpk --export a.gcvf || s=$?
test $(ls | wc -l) = 1
test $s = 3
