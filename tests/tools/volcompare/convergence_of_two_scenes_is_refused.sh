# Convergence of two scenes is refused.
# grep: scene.scale
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volrender c.vpk -o a.vpf --spp 4 --resolution 16x16
volrender c.vpk -o b.vpf --spp 8 --resolution 16x16 --scale 5
volrender c.vpk -o d.vpf --spp 64 --resolution 16x16
expect_status 3 volcompare --convergence a.vpf b.vpf d.vpf
