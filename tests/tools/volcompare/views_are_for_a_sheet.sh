# Views are for a sheet.
# grep: --view requires --sheet
# grep: --view-width requires --view
# grep: same file
c=$VOLPT_TESTS_DIR/../pipelines/data/chart.png
for o in "--view $c" '--sheet s.html --view-width 3mm' "--sheet s.html --view $c --view-width 0mm" "--sheet s.html --view a="; do
    s=0
    volcompare $c $c $o || s=$?
    test $s = 2
done
cp $c c.png
expect_status 2 volcompare $c $c --view c.png --sheet c.png
