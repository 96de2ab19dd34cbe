# Mesh is packed.
# grep: 4 triangles, 4 vertices, volume 4 mm3
# grep: surface.triangles: 4
# grep: --export writes its voxels alone
t='0 0 0 0 2 0 3 0 0;0 0 0 3 0 0 0 0 4;0 0 0 0 0 4 0 2 0;3 0 0 0 2 0 0 0 4'
{
    echo solid t
    echo "$t" | tr ';' '\n' | while read -r a; do
        set -- $a
        echo "facet normal 0 0 0 outer loop vertex $1 $2 $3 vertex $4 $5 $6 vertex $7 $8 $9 endloop endfacet"
    done
    echo endsolid t
} >t.stl
volprep t.stl --sigma-t 20 --albedo 0.9,0.8,0.7 --g 0.5 --reproducible -j 1 -o a.vpk
volprep t.stl --sigma-t 20 --albedo 0.9,0.8,0.7 --g 0.5 --reproducible -j 4 -o b.vpk -q
cmp a.vpk b.vpk
volinfo a.vpk --verify full --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
s = a["surface"]
assert (
    s["triangles"] == s["vertices"] == 4
    and abs(s["volume_mm3"] - 4) < 1e-4
    and a["bands"] == 3
    and max(a["dims"]) == 512
    and a["scale"] == 20
), a
'
volinfo a.vpk
s=0
volprep a.vpk --export a.mha || s=$?
test $s = 2
s=0
volprep a.vpk --pitch 1mm -o c.vpk || s=$?
test $s = 2
volprep a.vpk --bands 1 --scale 3 -o c.vpk
volinfo c.vpk --verify full --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["surface"]["triangles"] == 4 and a["bands"] == 1 and a["scale"] == 3, a
'
