# Object is rendered alike by every kernel.
python3 -B $VOLPT_TESTS_DIR/../pipelines/make_figurine.py f.stl --rings 40 --sides 30
volprep f.stl --sigma-t 2 --albedo 0.99,0.9,0.8 -o f.vpk -q
common='--resolution 40x60 --spp 4 --boundary rough --alpha 0.1 --int-ior 1.5 --long-steps auto -q --json'
for k in $(volrender --list-kernels --json | python3 -c 'import json,sys; print(*[k["kernel"] for k in json.load(sys.stdin) if k["device"] == "cpu"])'); do
    volrender f.vpk $common --device cpu --kernel $k -o $k.vpf >$k.json
done
python3 -c '
import glob, json
a = [json.load(open(f)) for f in glob.glob("*.json")]
assert len({r["film_hash"] for r in a}) == 1 and all(r["lost_paths"] == 0 and r["extensions"] > 2 * r["paths"] for r in a)
'
