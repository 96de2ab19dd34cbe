# Other seed has the same expectation.
# grep: same scene, other samples
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volrender c.vpk -o a.vpf -o a.exr --spp 32 --resolution 64x64 --seed 1
volrender c.vpk -o b.vpf --spp 64 --resolution 64x64 --seed 2
volcompare a.vpf b.vpf --statistical
volcompare a.exr b.vpf --statistical --correction holm
