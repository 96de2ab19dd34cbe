# Trials write the film of one render.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
volrender c.vpk -o t.vpf --trials 2 --device cpu --spp 3 --resolution 20x20 --reproducible
volrender c.vpk -o r.vpf --device cpu --spp 3 --resolution 20x20 --reproducible
cmp t.vpf r.vpf
