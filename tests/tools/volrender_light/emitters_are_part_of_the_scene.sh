# Emitters are part of the scene.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o c.vpk -q
volrender c.vpk --light 'point origin=0,0,20 power=1' --spp 1 --resolution 8x8 -o a.vpf --reproducible
volinfo a.vpf | grep -q emitters
volrender c.vpk --resume a.vpf --spp 2 --light 'point origin=0,0,20 power=1' --reproducible
expect_status 2 volrender c.vpk --resume a.vpf --spp 3 --light 'point origin=0,0,21 power=1' 2>err
grep -q emitters err
