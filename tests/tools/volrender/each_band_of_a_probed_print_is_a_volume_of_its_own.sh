# Each band of a probed print is a volume of its own.
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 2mm,1mm --core 0.5mm --materials elek2017 -o p.vpk -q
volrender p.vpk --probe top --resolution 1x1 --spp 2000 -o p.vpf --json >p.json
for b in 0 1 2; do
    volprep p.vpk --bands $b -o $b.vpk -q
    volrender $b.vpk --probe top --resolution 1x1 --spp 2000 -o $b.vpf --json >$b.json || exit
done
python3 -c '
import json
p, *bands = [json.load(open(f + ".json")) for f in "p012"]
assert all([p[k][b]] == j[k] for b, j in enumerate(bands) for k in ("mean", "standard_error")) and p["extensions"] == sum(
    j["extensions"] for j in bands
)
'
