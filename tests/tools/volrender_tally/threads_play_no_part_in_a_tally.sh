# Threads play no part in a tally.
volprep --make noise --dims 24,24,24 --size 3mm --sigma-t 4 --albedo 0.9 -o n.vpk -q
for j in 1 3; do
    volrender n.vpk --integrator light --light 'beam origin=0,0,5 direction=0,0,-1 radius=0.5mm power=1' --resolution 8x8 \
        --spp 64 --tally fluence:gates=3,ns=0.005 -o $j.nrrd -j$j
done
cmp 1.nrrd 3.nrrd
