# Slabs of inks have their reflectance.
for ink in C M Y K W; do
    volprep --make slab --size 10mm --materials elek2017 --material $ink -o s.vpk -q
    volrender s.vpk --probe top --sides periodic --resolution 1x1 --spp 40000 -o s.vpf --json >$ink.json || exit
done
python3 -c '
import json
truth = {
    "C": (0.0409, 0.0883, 0.4218),
    "M": (0.4218, 0.0420, 0.1915),
    "Y": (0.6807, 0.6262, 0.0432),
    "K": (0.0504,) * 3,
    "W": (0.8090, 0.8813, 0.8022),
}
z = [
    (j["mean"][b] - truth[m][b]) / (j["standard_error"][b] + 1e-4)
    for m in truth
    for j in [json.load(open(m + ".json"))]
    for b in range(3)
]
assert max(map(abs, z)) < 4 and sum(x * x for x in z) < 38, z
'
