# Chart.
# grep: "intent": "relative"
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 6mm,4mm --ink-depth 0.5mm --core 1.5mm --materials elek2017 \
    -o p.vpk --json >j.txt
cat j.txt
python3 -c '
import json
j = json.load(open("j.txt"))
n = j["dims"][0] * j["dims"][1] * j["ink_layers"]
s, m = j["separated_shares"], j["material_shares"]
assert j["dims"] == [142, 47, 75] and j["core_layers"] == 56 and j["ink_layers"] == 19, j["dims"]
assert all(abs(s[k] - m[k]) * n < 6 for k in s), (s, m)
assert (
    0 < j["separation"]["delta_e_2000_mean"] < j["separation"]["delta_e_2000_p95"] < 40
    and 0 <= j["separation"]["out_of_gamut_share"] < 1
)
'
volprep p.vpk --export l.raw --plane label
test $(head -c $((142 * 47 * 56)) l.raw | tr -d '\004' | wc -c) = 0
volinfo p.vpk --slice 74 top.png
test -s top.png
