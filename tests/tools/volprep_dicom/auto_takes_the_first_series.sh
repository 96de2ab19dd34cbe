# --auto takes the series that is listed first, which has most slices.
# grep: --series=1.2.826.0.1.3680043.10.1.6
mkdir s
cp $VOLPT_TESTS_DIR/fuzz/seeds/dicom/plain.dcm s/a
python3 -c '
import sys
old = b"1.2.826.0.1.3680043.10.1."
sys.stdout.buffer.write(sys.stdin.buffer.read().replace(old + b"6", old + b"7").replace(b"Thorax 1.0", b"Lung 1.0  "))
' <s/a >s/b.dcm
volprep s --auto -o v.vpk
