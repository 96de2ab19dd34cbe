# Render.
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0 255 0 0\n2 0 0 255 0 0\n0 2 0 255 0 0\n0 0 2 255 0 0\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
volprep t.ply --print-mesh --pitch 0.1mm --ink-depth 0.3mm --materials elek2017 -o v.vpk -q
volrender v.vpk --device cpu --env 1 --resolution 16x16 --spp 8 -o v.vpf --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
m = a["mean"]
assert a["lost_paths"] == 0 and m[0] > 1.05 * m[1], a
'
