# Smoke has an extinction by its optical depth, whatever its size: the same for twice the voxels.
# grep: 8 free paths deep
volprep --make noise --dims 24,24,24 --size 24mm -o n.vpk -q
for pitch in 1 2; do
    volprep n.vpk --pitch $pitch -o p.vpk -q
    volprep export p.vpk p.vdb -q
    volprep p.vdb --auto -o a.vpk -q
    volprep p.vdb --auto -o a.vpk 2>err >/dev/null
    cat err
    sed -n 's/.*--scale=\([0-9.e-]*\).*/\1/p' err >>scales
    volrender p.vdb -o a.png --resolution 8x8 --spp 1
done
python3 -c 'a, b = map(float, open("scales")); assert abs(a / b - 2) < .01, (a, b)'
