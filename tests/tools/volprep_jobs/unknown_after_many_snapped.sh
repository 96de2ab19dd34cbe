# Unknown after many snapped.
# grep: #5ac828 is of no material
mkdir s
PYTHONPATH=$(realpath $VOLPT_TESTS_DIR/../pipelines) python3 -c '
import png
rows = [[(x, y, 0) for x in range(20)] for y in range(20)]
rows[19][19] = (90, 200, 40)
png.write_png("s/a0.png", 20, 20, [bytes(v for p in r for v in p) for r in rows])
'
expect_status 3 volprep s --materials elek2017 --pitch 0.1 --snap 24 -o v.vpk
