# A tally is read again.
volprep --make cube --dims 4,3,2 --size 1mm --sigma-t 2 --albedo 0.5 -o c.vpk -q
volrender c.vpk --integrator light --light 'beam origin=0,0,5 direction=0,0,-1 u=0.4mm,0,0 v=0,0.4mm,0 power=1' \
    --resolution 1x1 --spp 2000 --tally fluence:gates=2,ns=0.002 -o t.jnii -o t.mha
volprep t.jnii -o t.vpk 2>notes
grep -q 'holds 4 volumes' notes
volinfo t.vpk --json >t.json
python3 -c 'import json; t = json.load(open("t.json")); assert t["dims"] == [4, 3, 2], t'
