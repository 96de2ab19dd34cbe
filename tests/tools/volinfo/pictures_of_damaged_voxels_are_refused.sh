# Pictures of damaged voxels are refused.
# Damage in what a picture or a count shows, without --verify full: offset 8192 + 100 is inside the densities.
# grep: section 'density.voxels'
# grep: do not match their checksum
volprep --make noise --dims 16,16,16 --size 1mm -o v.vpk
printf '\377' | dd of=v.vpk bs=1 seek=8292 conv=notrunc 2>dd.log
volinfo v.vpk >/dev/null
for o in '--slice 3 s.png' --histogram '--slice 9 s.png --json'; do
    s=0
    volinfo v.vpk $o || s=$?
    test $s = 3
done
test ! -e s.png
