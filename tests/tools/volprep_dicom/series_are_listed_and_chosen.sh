# Series are listed and chosen.
# grep: holds 2 series
# grep: has no series "heart"
# grep: has 2 series "1.0"
# grep: "Lung 1.0" (CT, 1 file, 3 frames, 5 x 4, UID 1.2.826.0.1.3680043.10.1.7)
# grep: 1 file is no DICOM: left out: readme
python3 -B $VOLPT_TESTS_DIR/tools/make_two_series.py s
echo hello >s/readme
for o in '' '--series heart' '--series 1.0'; do
    s=0
    volprep s $o -o v.vpk --window 0,1 || s=$?
    test $s = 3
    test ! -e v.vpk
done
for o in 1.2.826.0.1.3680043.10.1.7 lung; do
    volprep s --series $o --window 0,1 -o v.vpk
    volinfo s --series $o >i
    grep -q 'series_description: Lung' i || exit 1
done
volinfo s >i 2>err # as of channels and times, the first one
grep -q 'series_description: Thorax' i
grep -q 'holds 2 series.*the first one is read' err
volinfo v.vpk >i
expect_status 1 grep -E '1\.2\.826|Doe' i
