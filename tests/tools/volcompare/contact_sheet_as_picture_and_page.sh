# Contact sheet as picture and page.
volcompare $VOLPT_TESTS_DIR/../pipelines/data/chart_rendered.png $VOLPT_TESTS_DIR/../pipelines/data/chart.png \
    --threshold 'de2000.mean<100' --sheet s.png --sheet s.html --patch red=25,25,40,40 --patch white=5,5,10,10
volcompare s.png s.png
grep -q '<td>red</td>' s.html
grep -q '<td>white</td>' s.html
expect_status 1 grep -q 'src="http' s.html
