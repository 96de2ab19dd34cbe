# Mesh without colours.
# grep: t.ply: the mesh has no texture coordinates
# grep: t.ply: the mesh has no colours
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
s=0
volprep t.ply --print-mesh --texture $VOLPT_TESTS_DIR/../pipelines/data/chart.png --materials elek2017 -o v.vpk || s=$?
test $s = 3
expect_status 3 volprep t.ply --print-mesh --materials elek2017 -o v.vpk
