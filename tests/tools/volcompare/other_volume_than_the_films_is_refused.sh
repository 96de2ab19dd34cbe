# Other volume than the films is refused.
# grep: it is not the scene's volume
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 11 --albedo .9 -o d.vpk
volrender c.vpk -o c.vpf --spp 2 --resolution 20x15
expect_status 3 volcompare --against-cpu d.vpk c.vpf
