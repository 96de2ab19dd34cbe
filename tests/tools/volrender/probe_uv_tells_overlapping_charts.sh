# Probe uv tells overlapping charts.
# grep: charts overlap: the centres of
# grep: (100 %) covered texels lie in several triangles (3 in all), first at texel
# grep: 1 triangles lie outside of 0 to 1
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1 6 0 0 1 0 0 1\n3 0 1 3 6 0 0 1 0 0 1\n3 0 3 2 6 0 0 1 0 0 1\n3 1 2 3 6 2 0 3 0 2 1\n' >t.ply
volprep t.ply --sigma-t 20 --albedo 0.9 -o t.vpk -q
volrender t.vpk --probe uv --resolution 15x15 --spp 1 -o a.vpf
