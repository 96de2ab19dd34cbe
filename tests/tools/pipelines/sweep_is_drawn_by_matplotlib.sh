# Sweep is drawn by matplotlib.
command -v make >/dev/null || { echo 'skipped: no make'; exit 77; }
if ! python3 -c 'import matplotlib' 2>/dev/null && ! /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
    echo 'skipped: no matplotlib'
    exit 77
fi
bash $VOLPT_TESTS_DIR/../pipelines/sweep.sh thickness 0.5,2 out SPP=4 RESOLUTION=4x4
test -s out/sweep.png
expect_status 2 ls out/*.partial 2>/dev/null
python3 -c '
import xml.dom.minidom as x
d = x.parse("out/sweep.svg")
assert len(d.getElementsByTagName("path")) > 10
'
