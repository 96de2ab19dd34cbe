# Mixtures.
# grep: "mixtures": 256
# grep: mixture255
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 6mm,4mm --core 1.5mm --materials elek2017 \
    --halftone mixture -o p.vpk --json >j
cat j
volinfo p.vpk
volinfo p.vpk --coverage inks.svg --json >c
python3 -c '
import json
j, c = json.load(open("j")), json.load(open("c"))["coverage"]
s = j["separated_shares"]
part = j["ink_layers"] / j["dims"][2]
assert c["materials"] == list("CMYKW") and all(abs(c["total"][k] - s[k] * part - (1 - part) * (k == "W")) < 1e-9 for k in s), (
    c["total"],
    s,
)
'
grep -q '>K ' inks.svg
