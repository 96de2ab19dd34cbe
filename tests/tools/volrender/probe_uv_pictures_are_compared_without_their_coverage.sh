# Probe uv pictures are compared without their coverage.
# grep: equal
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1 6 0 0 .5 0 0 .5\n3 0 1 3 6 .5 0 1 0 .5 .5\n3 0 3 2 6 0 .5 .5 .5 0 1\n3 1 2 3 6 .5 .5 1 .5 .5 1\n' >t.ply
volprep t.ply --sigma-t 20 --albedo 0.9 -o t.vpk -q
p='volrender t.vpk --probe uv --resolution 16x16 -q'
$p --spp 64 -o a.exr
$p --spp 64 --seed 2 -o b.exr
volcompare a.exr b.exr --statistical
volcompare a.exr a.exr
