# Other albedo has another expectation.
# grep: the mean of channel Y differs
# grep: scene.volume_checksum
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .89 -o d.vpk
volrender c.vpk -o a.vpf --spp 256 --resolution 64x64 --seed 1
volrender d.vpk -o b.vpf --spp 256 --resolution 64x64 --seed 2
expect_status 1 volcompare a.vpf b.vpf --statistical
