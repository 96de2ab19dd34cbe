# Emitters darken the environment.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o c.vpk -q
L='point origin=0,0,20 power=1'
volrender c.vpk --light "$L" --spp 1 --resolution 8x8 -o a.vpf --reproducible
volrender c.vpk --light "$L" --env 0 --spp 1 --resolution 8x8 -o b.vpf --reproducible
cmp a.vpf b.vpf
volrender c.vpk --light "$L" --env 1 --spp 1 --resolution 8x8 -o c.vpf --reproducible
expect_status 1 cmp -s a.vpf c.vpf
