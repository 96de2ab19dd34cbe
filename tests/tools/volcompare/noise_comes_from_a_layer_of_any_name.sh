# Noise comes from a layer of any name.
# grep: 'test_deviation' is taken as the standard deviation of each pixel
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk -q
for seed in 1 2; do
    volrender c.vpk -o $seed.exr --spp 16 --resolution 16x16 --seed $seed -q
    python3 -c '
import sys
b = open(sys.argv[1] + ".exr", "rb").read()
c = b.replace(b"standard_error", b"test_deviation")
assert b != c
open("other" + sys.argv[1] + ".exr", "wb").write(c)
' $seed
done
volcompare 1.exr 2.exr --statistical --json >own.json
volcompare other1.exr other2.exr --noise-layer test_deviation --statistical --json >other.json
volcompare 1.exr 2.exr --noise-layer standard_error,samples=4 --statistical --json >less.json || test $? = 1
volcompare other1.exr other2.exr --noise-layer test_deviation --statistical
python3 -c '
import json
z = [json.load(open(f + ".json"))["statistics"]["channels"][0]["z"] for f in ("own", "other", "less")]
print(z)
assert z[0] == z[1] != 0 and abs(z[2] / z[0] - 2) < 0.1, z
'
