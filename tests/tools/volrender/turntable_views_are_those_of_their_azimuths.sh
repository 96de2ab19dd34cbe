# Turntable views are those of their azimuths.
# Views around an object.
volprep --make noise --dims 8,8,8 --size 2mm --sigma-t 10 -o v.vpk -q
volrender v.vpk --from 350,20 --turntable 3 --resolution 16x12 --spp 2 -o 't%02d.vpf' -o 't%02d.exr' --reproducible --json >t.json
for view in '0 350,20' '1 110,20' '2 230,20'; do
    set -- $view
    volrender v.vpk --from $2 --resolution 16x12 --spp 2 -o w$1.vpf -o w$1.exr --reproducible --json >w$1.json
    cmp t0$1.vpf w$1.vpf
    cmp t0$1.exr w$1.exr
done
expect_status 1 cmp -s w0.exr w1.exr
python3 -c '
import json
v = json.load(open("t.json"))["views"]
assert [a["turn_deg"] for a in v] == [0, 120, 240] and [a["view"] for a in v] == [0, 1, 2]
assert all(a["film_hash"] == json.load(open("w%d.json" % a["view"]))["film_hash"] for a in v)
'
