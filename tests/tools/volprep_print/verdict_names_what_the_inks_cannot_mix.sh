# Verdict names what the inks cannot mix.
# grep: % of the picture is out of gamut
printf 'PF\n2 2\n-1\n' >t.pfm
python3 -c '
import struct, sys
sys.stdout.buffer.write(struct.pack("<12f", *[0.3, 0.3, 0.3] * 3 + [0.9, 0.2, 0.01]))
' >>t.pfm
volprep --print t.pfm --width 3mm --thickness 3mm --materials elek2017 -o p.vpk --json >j
volprep --print t.pfm --width 3mm --thickness 3mm --materials elek2017 -o p.vpk
python3 -c '
import json
j = json.load(open("j"))
w = j["separation"]["worst_colours"]
assert (
    len(w) == 1
    and abs(w[0]["share"] - 0.25) < 0.02
    and w[0]["delta_e_2000"] > 1
    and j["verdict"][1].startswith("Worst: " + w[0]["colour"])
), j
'
