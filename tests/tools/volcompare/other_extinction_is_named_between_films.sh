# Other extinction is named between films.
# grep: scene.scale: 10 against 5
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volrender c.vpk -o c.vpf --spp 2 --resolution 20x15
volrender c.vpk -o d.vpf --spp 2 --resolution 20x15 --scale 5
expect_status 1 volcompare c.vpf d.vpf
