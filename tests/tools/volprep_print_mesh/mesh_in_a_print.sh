# Mesh in a print.
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n-.5 -.5 -.5\n.5 -.5 -.5\n-.5 .5 -.5\n-.5 -.5 .5\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 3mm,2mm --core 1.5mm --materials elek2017 -o p.vpk -q
volprep t.ply --medium p.vpk -o v.vpk -q
volinfo v.vpk --verify full >/dev/null
