# Film against a picture says how much is noise.
# grep: "illuminant": "D50"
# grep: "observer": "CIE 1931 2 degrees"
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9,.5,.2 -o c.vpk
volrender c.vpk -o a.vpf -o a.exr --spp 32 --resolution 48x32 --seed 1
volrender c.vpk -o t.png --spp 2048 --resolution 48x32 --seed 2 --backdrop 1
volcompare a.vpf t.png --metric de2000 --threshold 'de2000.noise_share>0.2 and de2000.noise_p95<20' --map de2000_noise n.exr \
    --map de2000_noise_share s.png --json >j
test -s n.exr
test -s s.png
python3 -c '
import json
a = json.load(open("j"))
m = a["metrics"]
assert a["illuminant"] == "D65" and 0 < m["de2000.noise_mean"] < m["de2000.noise_p95"], a
'
volcompare a.vpf t.png --metric de2000 --illuminant D50 --threshold 'de2000.mean<20' --json
