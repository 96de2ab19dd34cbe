# Print of a coloured mesh ends in views.
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
bash $VOLPT_TESTS_DIR/../pipelines/print_texture.sh t.ply out PITCH=0.1mm COLOUR='#c08040' VIEW_SPP=1
test -s out/sheet.png
grep -q '<figcaption>back</figcaption>' out/sheet.html
test ! -e out/print.vpf
