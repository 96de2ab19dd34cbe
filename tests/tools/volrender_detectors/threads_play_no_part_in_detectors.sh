# Threads play no part in detectors.
volprep --make noise --dims 24,24,24 --size 3mm --sigma-t 4 --albedo 0.9 -o n.vpk -q
for j in 1 3; do
    volrender n.vpk --integrator light --light 'beam origin=0,0,5 direction=0,0,-1 radius=0.5mm power=1' --resolution 8x8 \
        --spp 64 --detector 'disc center=0,0,1.5 radius=1 gates=9 ns=0.004' -o $j.csv -j$j
done
cmp 1.csv 3.csv
