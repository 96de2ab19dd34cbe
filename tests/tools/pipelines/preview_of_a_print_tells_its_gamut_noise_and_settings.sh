# Preview of a print tells its gamut noise and settings.
# grep: in words
# grep: out of gamut
bash $VOLPT_TESTS_DIR/../pipelines/print_texture.sh $VOLPT_TESTS_DIR/../pipelines/data/chart.png out \
    --quick WIDTH=4mm THICKNESS=1mm INK_DEPTH=0.1mm SPP=2 VIEW='--sides periodic'
for text in 'is out of gamut' 'Worst: #' 'Delta E is noise' 'Print: 4.0' 'Material: C' 'Prediction, a preview' '1 mm</span>'; do
    grep -qF -e "$text" out/sheet.html || { echo "no $text"; exit 1; }
done
