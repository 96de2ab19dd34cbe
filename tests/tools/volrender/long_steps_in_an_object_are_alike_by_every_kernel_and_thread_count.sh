# Long steps in an object are alike by every kernel and thread count.
python3 -B $VOLPT_TESTS_DIR/../pipelines/make_figurine.py f.stl --rings 20 --sides 15
volprep f.stl --sigma-t 8 --albedo 0.999 -o f.vpk -q
common='--resolution 40x60 --spp 4 --boundary smooth --long-steps on --bank-cache off -q --json'
volrender f.vpk $common -j 3 -o auto.vpf >auto.json
for k in $(volrender --list-kernels --json | python3 -c 'import json,sys; print(*[k["kernel"] for k in json.load(sys.stdin) if k["device"] == "cpu"])'); do
    volrender f.vpk $common -j 1 --device cpu --kernel $k -o $k.vpf >$k.json
done
python3 -c '
import glob, json
a = [json.load(open(f)) for f in glob.glob("*.json")]
assert (
    len(a) > 1
    and len({r["film_hash"] for r in a}) == 1
    and all(r["lost_paths"] == 0 and r["long_steps"] > r["paths"] / 9 for r in a)
)
'
