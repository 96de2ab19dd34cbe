# Mesh bounds a volume.
# grep: 2 of 4 vertices lie outside the box of n.vpk, the farthest one, at 0, 0, 3 mm, by 1 mm
# grep: v.vpk is bounded by a triangle mesh already
# grep: the medium is that volume's
# grep: t.ply is no packed volume
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
volprep --make noise --dims 24,20,16 --size 6mm,5mm,4mm --sigma-t 8 --albedo 1 -o n.vpk -q
volprep t.ply --medium n.vpk -o v.vpk
volinfo v.vpk --verify full --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["dims"] == [24, 20, 16] and abs(a["surface"]["volume_mm3"] - 8 / 6) < 1e-5 and a["scale"] == 8, a
'
volrender v.vpk --device cpu --env 1 --boundary smooth --int-ior 1.5 --resolution 24x24 --spp 16 -o v.vpf --json | python3 \
    -c 'import json,sys; a=json.load(sys.stdin); assert a["mean"]==[1] and a["lost_paths"]==0, a'
s=0
volprep t.ply --medium n.vpk --mesh-scale 1.5 -o w.vpk || s=$?
test $s = 3
test ! -e w.vpk
s=0
volprep t.ply --medium v.vpk -o w.vpk || s=$?
test $s = 2
s=0
volprep t.ply --medium n.vpk -o n.vpk || s=$?
test $s = 2
s=0
volprep t.ply --medium n.vpk --sigma-t 3 -o w.vpk || s=$?
test $s = 2
s=0
volprep t.ply --medium t.ply -o w.vpk || s=$?
test $s = 2
