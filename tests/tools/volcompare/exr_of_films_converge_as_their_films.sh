# Exr of films converge as their films.
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
for spp in 16 256 2048; do
    volrender c.vpk -o $spp.vpf -o $spp.exr --spp $spp --resolution 32x32 -q >/dev/null
done
volcompare --convergence 16.vpf 256.vpf 2048.vpf --json >a
volcompare --convergence 16.exr 256.exr 2048.exr --json >b
python3 -c '
import json
a, b = (json.load(open(f))["points"] for f in "ab")
assert [p["error"] for p in a] == [p["error"] for p in b] and b[0]["samples_source"] == "film", (a, b)
'
