# Threads tiles and kernels play no part.
volprep --make checker --dims 20,20,20 --size 2mm --sigma-t 10 --albedo 0.8 -o c.vpk -q
volrender c.vpk -o 1.vpf --spp 3 --resolution 90x70 --reproducible -j1
volrender c.vpk -o 2.vpf --spp 3 --resolution 90x70 --reproducible -j3 --tile-size 17
cmp 1.vpf 2.vpf
volrender c.vpk -o 3.vpf --spp 3 --resolution 90x70 --reproducible --kernel scalar
cmp 1.vpf 3.vpf
