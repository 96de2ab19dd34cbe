# Views are on both forms of the sheet.
d=$VOLPT_TESTS_DIR/../pipelines/data
cp $d/chart.png 'a=b.png'
volcompare $d/chart_rendered.png $d/chart.png --threshold 'de2000.mean<100' --sheet s.png --sheet s.html \
    --view "from above=$VOLPT_TESTS_DIR/frozen/tiny.vpf" --view a=b.png --view-width 30mm
grep -q '<figcaption>from above</figcaption>' s.html
grep -q '<figcaption>a=b</figcaption>' s.html
grep -q '10 mm</span>' s.html
volcompare --view $d/chart.png --note 'four sides' --sheet v.png --sheet v.html
grep -q 'four sides' v.html
volcompare v.png v.png
