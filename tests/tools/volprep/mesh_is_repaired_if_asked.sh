# Mesh is repaired if asked.
# grep: 1 vertices merged
# grep: 1 triangles turned
# grep: surface.vertices: 4
printf 'ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 1e-6 1\n3 0 2 1\n3 0 1 3\n3 0 2 4\n3 1 2 3\n' >r.ply
s=0
volprep r.ply -o r.vpk || s=$?
test $s = 3
volprep r.ply --repair -o r.vpk
volinfo r.vpk --verify full
