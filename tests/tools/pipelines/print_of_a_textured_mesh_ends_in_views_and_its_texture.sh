# Print of a textured mesh ends in views and its texture.
# grep: covered by no triangle
# grep: view from the left,
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
python3 -B $VOLPT_TESTS_DIR/../pipelines/make_figurine.py f.obj --rings 40 --sides 24
bash $VOLPT_TESTS_DIR/../pipelines/print_texture.sh f.obj out --quick SIZE=,,10mm PITCH=0.25mm SPP=2 VIEW_SPP=1 TEXELS=600
for side in front right back left; do
    test -s out/view-$side.png
    grep -q "<figcaption>$side</figcaption>" out/sheet.html || exit 1
done
for text in 'Views, denoised: from 15 degrees' 'texels of the texture' ' mm</span>' 'f.png'; do
    grep -qF -e "$text" out/sheet.html || { echo "no $text"; exit 1; }
done
volinfo out/print.vpf >info
grep -q 'camera.probe_target: texture' info
