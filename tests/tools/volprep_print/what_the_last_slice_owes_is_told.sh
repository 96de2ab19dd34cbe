# What the last slice owes is told: shares that are wanted, less what is printed, are in unpaid_voxels.
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 3mm,2mm --core 1mm --materials elek2017 -o p.vpk --json >j
python3 -c '
import json
j = json.load(open("j"))
voxels = j["dims"][0] * j["dims"][1] * j["ink_layers"]
for ink, unpaid in j["unpaid_voxels"].items():
    missing = (j["separated_shares"][ink] - j["material_shares"][ink]) * voxels
    assert abs(unpaid - missing) < 1e-6 * voxels and abs(unpaid) < 0.3 * j["dims"][0], (ink, unpaid, missing)
assert sum(j["unpaid_voxels"].values()) == 0
'
