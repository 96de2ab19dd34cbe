# Coverage tells millilitres and grams.
# grep: amounts.mass_g.C: 0.75
# grep: coverage.void: 0.25
echo '{"materials": [{"name": "C", "id": 1, "sigma_t": [9], "albedo": [0.5], "density_g_per_cm3": 1.5}, {"name": "W", "id": 2, "sigma_t": [9], "albedo": [0.9]}, {"name": "void", "id": 0, "air": true}]}' >t.json
printf '\000\001\002\002' >in.raw
volprep in.raw --dims 2,2,1 --type u8 --pitch 10mm,10mm,5mm --materials t.json -o v.vpk
volinfo v.vpk --coverage none --json >c.json
python3 -c '
import json
a = json.load(open("c.json"))["coverage"]["amounts"]
near = lambda x, y: abs(x - y) < 1e-6
assert set(a["volume_ml"]) == {"C", "W"} and near(a["volume_ml"]["C"], 0.5) and near(a["volume_ml"]["W"], 1), a
assert (
    near(a["whole_volume_ml"], 1.5) and set(a["mass_g"]) == {"C"} and near(a["mass_g"]["C"], 0.75) and "whole_mass_g" not in a
), a
'
volinfo v.vpk --coverage none
test ! -e none
