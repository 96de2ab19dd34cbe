# Texels that no triangle covers do not count.
printf 'v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nvt 0.1 0.1\nvt 0.4 0.1\nvt 0.1 0.4\nvt 0.9 0.9\nvt 0.6 0.9\nvt 0.9 0.6\nf 1/1 3/2 2/3\nf 1/4 2/5 4/6\nf 1/4 4/5 3/6\nf 2/4 3/5 4/6\n' >t.obj
volprep t.obj --print-mesh --pitch 0.1mm --ink-depth 0.2mm --colour '#ffffff' --materials elek2017 -o v.vpk -q
volrender v.vpk --probe uv --resolution 24x24 --spp 16 -o v.vpf -o v.exr -q >v.txt
cp $VOLPT_TESTS_DIR/../pipelines/data/chart.png c.png
for film in v.vpf v.exr; do
    volcompare $film c.png --resample area --metric de2000 --threshold 'de2000.mean>=0' --sheet $film.html --json >$film.json
    python3 -c '
import json, sys
a = json.load(open(sys.argv[1]))
assert a["verdict"] == "pass" and any("covered by no triangle" in n for n in a["notices"]), a
assert a["non_finite"]["differing"] == 0 and 300 < a["non_finite"]["test"] / 3 < 560, a["non_finite"]
' $film.json
done
