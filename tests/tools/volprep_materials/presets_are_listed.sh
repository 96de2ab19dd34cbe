# Presets are listed.
# What comes with the programs.
# grep: elek2017       C, M, Y, K, W; 3 bands
# grep: Stratasys J750: 600 x 300 dots per inch, layers of 27 or 14 um
# grep: albedo 0.9,0.9,0.9 at density 0
# grep: marble         sigma_t 2.1921,2.6241,3.0071/mm, albedo 0.999042,0.998438,0.997639, g 0, n 1.5; H. Jensen
# grep: ESTIMATED: n: M. Hutchinson
volprep --list-materials
volprep --list-materials --json | python3 -c '
import json, sys
p = json.load(sys.stdin)
names = lambda k: [e["name"] for e in p[k]]
assert (
    names("materials") == ["elek2017", "elek2017_36", "forti2018", "solids"]
    and names("printers") == ["j55", "j750", "j850"]
    and names("transfer") == ["grey-red-blue", "green-red-blue"]
), p
m = p["materials"][0]
assert (
    m["materials"] == list("CMYKW")
    and m["bands"] == 3
    and "wavelengths_nm" not in m
    and len(p["materials"][1]["wavelengths_nm"]) == 36
)
solids = p["materials"][3]["solids"]
assert "solids" not in m and len(solids) == 11
for s in solids:
    assert s["source"] and s["uncertainty"] and len(s["sigma_t"]) == 3 and 1.2 < s["ior"] < 1.7, s
    assert all(0 < a < 1 for a in s["albedo"]), s
assert [s["name"] for s in solids if not s["estimated"]] == ["white-resin", "marble", "milk", "skin"]
assert p["printers"][1]["dpi"] == [600, 300] and p["transfer"][1]["points"][0] == {"density": 0, "albedo": [0.4, 0.95, 0.4]}
'
