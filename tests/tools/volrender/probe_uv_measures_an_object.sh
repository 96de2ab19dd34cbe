# Probe uv measures an object.
# grep: no triangle lies over the centres of
# grep: scene.camera.probe_target: texture
# grep: scene.camera.view: diffuse
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1 6 0 0 .5 0 0 .5\n3 0 1 3 6 .5 0 1 0 .5 .5\n3 0 3 2 6 0 .5 .5 .5 0 1\n3 1 2 3 6 .5 .5 1 .5 .5 1\n' >t.ply
volprep t.ply --sigma-t 20 --albedo 0.9,0.8,0.7 -o t.vpk -q
p='volrender t.vpk --probe uv --view diffuse --resolution 16x16'
$p --spp 16 -o a.vpf -o a.exr -o a.png
$p --samples 0:6 --device auto -o b.vpf -q
$p --samples 6:10 -o c.vpf -q
volmerge b.vpf c.vpf -o m.vpf
volcompare m.vpf a.vpf
volinfo a.vpf --verify full
volinfo a.vpf --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
m = a["mean"]
assert (
    abs(a["coverage"] - 0.5) < 0.01 and 0 < a["uncovered_pixels"] < 128 and a["samples"] == 16 and 0.03 < m[2] < m[1] < m[0] < 0.5
), a
'
