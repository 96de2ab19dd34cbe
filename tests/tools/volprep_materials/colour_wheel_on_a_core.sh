# Colour wheel on a core.
# grep: "core_layers": 370
# grep: "dims"
volprep "$VOLPT_TEST_DATA/j750-colorwheel-slices" --materials elek2017 --air black --pitch 42.3um,84.7um,27um --core 10mm \
    -o wheel.vpk --json >j.txt
cat j.txt
python3 -c '
import json
j = json.load(open("j.txt"))
s = j["material_shares"]
assert abs(sum(s.values()) - 1) < 1e-12 and min(s.values()) > 0.003, s
assert j["core_mm"] == 370 * 0.027 or abs(j["core_mm"] - 9.99) < 1e-6
assert j["constant_bricks"] >= 46 * 63 * 125, j
'
volprep wheel.vpk --export l.raw --plane label
test $(head -c 185000000 l.raw | tr -d '\004' | wc -c) = 0
volinfo wheel.vpk --slice 375 top.png
test -s top.png
