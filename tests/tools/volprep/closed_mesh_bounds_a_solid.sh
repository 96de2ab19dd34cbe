# Closed mesh bounds a solid.
# grep: bounds a solid
t='0 0 0 0 2 0 3 0 0;0 0 0 3 0 0 0 0 4;0 0 0 0 0 4 0 2 0;3 0 0 0 2 0 0 0 4'
{
    echo solid t
    echo "$t" | tr ';' '\n' | while read -r a; do
        set -- $a
        echo "facet normal 0 0 0 outer loop vertex $1 $2 $3 vertex $4 $5 $6 vertex $7 $8 $9 endloop endfacet"
    done
    echo endsolid t
} >t.stl
volprep t.stl --check-mesh
volprep t.stl --check-mesh --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert (
    a["bounds_a_solid"]
    and abs(a["volume_mm3"] - 4) < 1e-6
    and a["vertices"] == 4
    and a["euler_characteristic"] == 2
    and not a["findings"]
), a
'
