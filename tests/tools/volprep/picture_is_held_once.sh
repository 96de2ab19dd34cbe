# A large picture is held once, a byte for each of its values, while it is decoded and averaged (without ulimit -v: resident memory is measured).
python3 -B "$VOLPT_TESTS_DIR/tools/make_pictures.py" rgb small.png 30 25
python3 -B "$VOLPT_TESTS_DIR/tools/make_pictures.py" rgb large.png 3000 2500
cat >measure.py <<'PYTHON'
import os
import subprocess
import sys


def peak_bytes(words):
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, words
    return usage.ru_maxrss * 1024


values = 3000 * 2500 * 3
for words in sys.argv[1:]:
    small, large = (peak_bytes(words.replace("PICTURE", name).split()) for name in ("small.png", "large.png"))
    assert large - small < 1.25 * values, (words, small, large)
PYTHON
python3 measure.py 'volprep -j 1 -q --slab PICTURE --dims 30,25,2 --size 4mm,4mm,1mm -o s.vpk' \
    'volprep -j 1 -q --print PICTURE --size 3mm,2.5mm --core 1mm --materials elek2017 -o p.vpk'
