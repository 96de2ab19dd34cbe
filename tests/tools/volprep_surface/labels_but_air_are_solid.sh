# Labels but air are solid.
printf '\000\000\000\000\000\001\002\000\000\000\000\000' >in.raw
echo '{"materials": [{"name": "out", "sigma_t": [1], "albedo": [0.5]}, {"name": "A", "sigma_t": [4], "albedo": [1]}, {"name": "B", "sigma_t": [2], "albedo": [1]}]}' >t.json
volprep in.raw --dims 4,3,1 --type u8 --pitch 1,2,3 --materials t.json --air out --surface voxels -o v.vpk --json >j.txt
volinfo v.vpk --verify full >/dev/null
python3 -c '
import json
j = json.load(open("j.txt"))
assert j["air"]["voxels"] == 10 and abs(j["surface"]["volume_mm3"] - 12) < 1e-9 and abs(j["surface"]["area_mm2"] - 32) < 1e-9, j
'
volrender v.vpk --device cpu --env 1 --boundary rough --alpha .2 --int-ior 1.4 --resolution 24x24 --spp 8 -o v.vpf \
    --json | python3 -c 'import json,sys; a=json.load(sys.stdin); assert a["mean"]==[1] and a["lost_paths"]==0, a'
