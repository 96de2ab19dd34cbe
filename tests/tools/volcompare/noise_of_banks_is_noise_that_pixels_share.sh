# Noise of banks is noise that pixels share.
volprep --make slab --size 10mm,10mm,2mm --sigma-t 20 --albedo 0.99 -o s.vpk -q
common='s.vpk --probe top --sides periodic --resolution 64x64 --spp 128'
volrender $common -o plain.vpf
volrender $common --long-steps on --seed 2 -o on.vpf -o on.exr
for e in vpf exr; do volcompare on.$e plain.vpf --statistical --json >$e.json || exit; done
python3 -c '
import json
v, e = [json.load(open(f + ".json"))["statistics"]["channels"][0]["z"] for f in ("vpf", "exr")]
assert abs(v - e) < 1e-6, (v, e)
'
