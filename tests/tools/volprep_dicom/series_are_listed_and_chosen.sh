# Series are listed and chosen.
# grep: holds 2 series
# grep: has no series "heart"
# grep: has 2 series "1.0"
# grep: "Lung 1.0" (CT, 1 file, 3 frames, 5 x 4, UID 1.2.826.0.1.3680043.10.1.7)
# grep: 1 file is no DICOM: left out: readme
mkdir s
cp $VOLPT_TESTS_DIR/fuzz/seeds/dicom/plain.dcm s/a
python3 -c '
import sys
old = b"1.2.826.0.1.3680043.10.1."
sys.stdout.buffer.write(sys.stdin.buffer.read().replace(old + b"6", old + b"7").replace(b"Thorax 1.0", b"Lung 1.0  "))
' <s/a >s/b.dcm
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
volinfo v.vpk >i
expect_status 1 grep -E '1\.2\.826|Doe' i
