# Wavelengths show their colour.
# grep: "observer": "CIE 1931 2 degrees"
python3 -c '
import json
w = list(range(380, 740, 10))
json.dump(
    {
        "bands": w,
        "ior": 1.5,
        "materials": [{"name": "P", "sigma_t": [8] * 36, "albedo": [0.9 + 0.0025 * i for i in range(36)], "g": 0.4}],
    },
    open("t.json", "w"),
)
'
volprep --make slab --dims 8,8,4 --size 2mm,2mm,4mm --materials t.json --material P -o p.vpk -q
volrender p.vpk --probe top --sides periodic -o p.vpf -o p.png --stop-at-de 3 --illuminant D50 --json >a.json
python3 -c '
import json
a = json.load(open("a.json"))
assert a["bands"] == 36 and a["de2000_noise_p95"] <= 3 and a["illuminant"] == "D50", a
'
volcompare p.vpf p.png --illuminant D50 --metric de2000 --threshold 'de2000.max<1'
volmerge p.vpf -o q.png --illuminant D50
volcompare p.png q.png
volmerge p.vpf -o r.png --json
expect_status 1 volcompare p.png r.png
