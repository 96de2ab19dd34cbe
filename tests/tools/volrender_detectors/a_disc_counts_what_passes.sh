# A disc counts what passes.
volprep --make cube --dims 4,4,8 --size 1mm --sigma-t 3 --albedo 0 -o c.vpk -q
volrender c.vpk --integrator light --light 'beam origin=0.1,0.1,5 direction=0,0,-1 power=2' --resolution 1x1 --spp 100000 \
    --detector 'disc center=0.1,0.1,-0.5 radius=0.1mm' --detector 'rings width=50um count=4' --json -o d.csv >a.json
python3 -c '
import json, math
a = json.load(open("a.json"))
d, r = a["detectors"]
c = d["cells"][0]
assert abs(c["weight"] - math.exp(-3)) < 5 * c["standard_error"] and 0 < c["standard_error"] < 2e-3, c
assert abs(c["partial_paths_mm"][0] - 1) < 1e-4 and abs(c["optical_path_mm"] - 5.5) < 1e-4, c
assert abs(c["time_ns"] - 5.5 / 299.792458) < 1e-6 and d["direction"] == [0, 0, -1] and d["materials"] == ["medium"], d
assert r["weight"] == [0] and len(r["cells"]) == 5 and r["cells"][4]["to_mm"] is None and r["center_mm"][2] == 0.5, r
assert a["energy_outside"] == {"reflected": 0, "transmitted": 0}
t = [l.rstrip().split(",") for l in open("d.csv")]
assert len(t) == 7 and t[0][0] == "detector" and len(t[0]) == len(t[1]) == 14, t
assert abs(float(t[1][7]) - c["weight"]) < 1e-8 and t[2][:2] == ["2", "0"] and t[6][5] == "inf", t
'
