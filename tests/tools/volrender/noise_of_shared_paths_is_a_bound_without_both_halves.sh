# Noise of shared paths is a bound without both halves.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.95,0.8,0.5 -o c.vpk -q
for samples in 0:40 40:40 128:40; do
    volrender c.vpk --probe top --resolution 20x20 --samples $samples -o $samples.vpf -q
    volinfo $samples.vpf --json >$samples.json
done
volmerge 0:40.vpf 40:40.vpf -o whole.vpf --json >whole.json
volrender c.vpk --resume 128:40.vpf --stop-at-de 2 --spp 12 -o 128:40.vpf --json >resumed.json 2>notes
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o grey.vpk -q
volrender grey.vpk --probe top --resolution 20x20 --spp 40 -o grey.vpf -q
volinfo grey.vpf --json >grey.json
python3 -c '
import json
first, second, late, whole, resumed, grey = (json.load(open(name + ".json")) for name in ("0:40", "40:40", "128:40", "whole", "resumed", "grey"))
assert first["half_sums"] and second["half_sums"] and not grey["half_sums"]
assert [v["de2000_noise_kind"] for v in (first, second, late, whole, grey)] == ["expected", "at_most", "at_most", "expected", "expected"]
assert 2 * first["de2000_noise_p95"] < second["de2000_noise_p95"], (first, second)
assert resumed["de2000_noise_kind"] == "expected"
'
