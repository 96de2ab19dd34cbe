# Stop at de goes on with a film that met its ceiling.
# grep: pass
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.95,0.8,0.5 -o c.vpk -q
volrender c.vpk -o c.vpf --stop-at-de 1 --spp 20 --resolution 60x50 2>err
grep -q 'its limit of 20 samples' err
volrender c.vpk --resume c.vpf --stop-at-de 1 --json >on
python3 -c 'import json; assert json.load(open("on"))["de2000_noise_p95"] <= 1'
n=$(volinfo c.vpf --json | sed -n 's/.*"samples": \([0-9]*\).*/\1/p')
volrender c.vpk -o whole.vpf --spp $n --resolution 60x50
volcompare c.vpf whole.vpf
