# Rough probe says that light is lost.
# grep: loses the light
volprep --make slab --size 1mm --sigma-t 5 --albedo 1 -o f.vpk -q
common='--probe top --sides periodic --backing mirror --int-ior 1.5 --resolution 1x1 --spp 4000 --json'
volrender f.vpk $common -o s.vpf >s.json 2>err
test ! -s err
volrender f.vpk $common --alpha 0.1 -o m.vpf >m.json 2>err
test ! -s err
volrender f.vpk $common --alpha 0.1 --microfacets single -o r.vpf >r.json
python3 -c '
import json
s, m, r = [json.load(open(f"{f}.json"))["mean"][0] for f in "smr"]
assert s == m == 1 and 0.83 < r < 0.9, (s, m, r)
'
