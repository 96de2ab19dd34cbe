# Preview has sixteen samples of each texel at least, and the sheet says how large texels are.
p=$VOLPT_TESTS_DIR/../pipelines
bash $p/print_texture.sh --quick $p/data/chart.png out SIZE=3mm,2mm CORE=0.5mm INK_DEPTH=0.1mm STOP_AT_DE=100
least=$(volinfo out/print.vpf | sed -n 's/^samples_min: //p')
[[ $least -ge 16 ]]
grep -qE '\(150 dpi, 0\.1[67] mm each\)' out/sheet.html
