# Resume with another volume is refused.
# grep: it is not the scene's volume
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.8 -o d.vpk -q
volrender c.vpk -o c.vpf --spp 2 --resolution 20x20
expect_status 3 volrender d.vpk --resume c.vpf --spp 4
