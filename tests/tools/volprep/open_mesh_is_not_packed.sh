# Open mesh is not packed.
# grep: bounds no solid: open edges: 3, the first one triangle 0 at 0.5, 0.5, 0 mm
# grep: try --repair
# grep: mend it in a mesh editor
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 3\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n' >o.ply
s=0
volprep o.ply --repair -o o.vpk || s=$?
test $s = 3
s=0
volprep o.ply -o o.vpk || s=$?
test ! -e o.vpk
test $s = 3
