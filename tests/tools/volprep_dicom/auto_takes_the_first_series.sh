# --auto takes the series that is listed first, which has most slices.
# grep: Thorax 1.0
python3 -B $VOLPT_TESTS_DIR/tools/make_two_series.py s
volprep s --auto -o v.vpk
expect_status 1 grep -c 3680043 v.vpk # no UID of the files is in it
