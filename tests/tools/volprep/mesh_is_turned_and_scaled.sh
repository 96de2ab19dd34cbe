# Mesh is turned and scaled.
# grep: surface.triangles: 4
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 5 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
volprep t.ply --mesh-up +y --mesh-scale 2 --mesh-bricks 8 -o t.vpk
volinfo t.vpk --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert (
    a["dims"][2] == 64
    and a["dims"][0] < 20
    and abs(a["size_mm"][2] - 10) < 0.1
    and abs(a["surface"]["volume_mm3"] - 8 * 5 / 6) < 1e-4
), a
'
volprep t.ply --materials elek2017 --material W -o w.vpk
volinfo w.vpk
