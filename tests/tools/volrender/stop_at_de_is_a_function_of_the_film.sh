# Stop at de is a function of the film.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.95,0.8,0.5 -o c.vpk -q
volrender c.vpk -o 1.vpf --stop-at-de 2 --resolution 60x50 --reproducible -j1 --json >one
volrender c.vpk -o 2.vpf --stop-at-de 2 --resolution 60x50 --reproducible -j2
cmp 1.vpf 2.vpf
volmerge 1.vpf -o a.exr --json
python3 -c '
import json
a = json.load(open("one"))
assert a["de2000_noise_p95"] <= 2 == a["stop_at_de"] and 16 < a["samples"] < 10000 and a["illuminant"] == "D65", a
assert a["de2000_noise_kind"] == "expected", a
'
