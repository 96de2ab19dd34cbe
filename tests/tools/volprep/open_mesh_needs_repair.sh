# A corner of a cube that lacks its oblique face: refused, with --repair closed by its winding number. A sheet has no inside.
# grep: bounds no solid: open edges: 3, the first one triangle 0 at 0.5, 0.5, 0 mm
# grep: try --repair
# grep: the mesh is no surface of a solid (open edges: 3
# grep: are doubtful: it lies between 1/4 and 3/4 there
# grep: drawn to the mesh, bounds the solid
# grep: the mesh surrounds no voxel
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 3\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n' >o.ply
s=0
volprep o.ply -o o.vpk || s=$?
test ! -e o.vpk
test $s = 3
volprep o.ply --repair --mesh-bricks 4 -o o.vpk
volinfo o.vpk --verify full >/dev/null
expect_status 3 volprep o.ply --repair --strict -o s.vpk
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >sheet.obj
expect_status 3 volprep sheet.obj --repair -o s.vpk
