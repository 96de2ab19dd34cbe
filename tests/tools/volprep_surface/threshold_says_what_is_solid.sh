# Threshold says what is solid.
# grep: all voxels have a density above 0
# grep: no voxel has a density above 3
printf '\001\002\003\002' >in.raw
volprep in.raw --dims 4,1,1 --type u8 --pitch 1mm --surface voxels --surface-threshold 1.5 -o v.vpk --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert abs(a["surface"]["volume_mm3"] - 3) < 1e-9, a
'
for t in 0 3; do
    s=0
    volprep in.raw --dims 4,1,1 --type u8 --surface voxels --surface-threshold $t -o w.vpk || s=$?
    test $s = 3
done
test ! -e w.vpk
