# Print of a picture ends in a contact sheet.
# grep: samples: 4
# grep: de2000.noise_p95
bash $VOLPT_TESTS_DIR/../pipelines/print_texture.sh $VOLPT_TESTS_DIR/../pipelines/data/chart.png out SIZE=3mm,2mm CORE=0.5mm \
    INK_DEPTH=0.2mm DPI=150 SPP=4
test -s out/sheet.html
test -s out/sheet.png
test -s out/coverage.svg
test -s out/top.png
test -s out/print.exr
volinfo out/print.vpf >info
grep -q 'camera.kind: probe' info
expect_status 2 ls out/*.partial* 2>/dev/null
