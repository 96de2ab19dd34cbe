# Provenance names neither host nor files.
mkdir smith
volprep --make cube --dims 1,1,1 --size 1mm -o smith/c.vpk -q
printf 'Pf\n2 1\n-1.0\n\0\0\200\77\0\0\200\77' >smith/sky.pfm
volprep smith/c.vpk --scale 2 -o smith/d.vpk -q
volrender smith/d.vpk -o smith/c.vpf -o smith/c.exr -o smith/c.png --env smith/sky.pfm --spp 2 --resolution 9x9 --checkpoint 1
volmerge smith/c.vpf -o smith/m.vpf -o smith/m.exr
volinfo smith/d.vpk --json >d.json
volinfo smith/m.vpf --json >m.json
volinfo smith/c.vpf --json >c.json
for f in d.vpk c.vpf c.exr c.png m.vpf m.exr; do expect_status 1 grep -aqi smith smith/$f; done
python3 -c '
import json
d, m, c = [json.load(open(f + ".json"))["provenance"] for f in "dmc"]
assert d["command"] == "FILE.vpk --scale 2 --output FILE.vpk --quiet", d
assert c["command"].startswith("FILE.vpk --output FILE.vpf") and "--env FILE.pfm --spp 2" in c["command"] and c["kernel"]
assert not any("host" in p or "command_line" in p for p in (d, m, c)) and "host=" not in m["input.0"], m
'
