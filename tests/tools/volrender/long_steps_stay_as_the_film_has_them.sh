# Long steps stay as the film has them.
volprep --make cube --dims 1,1,1 --size 3mm --sigma-t 20 --albedo 0.99 -o c.vpk -q
volrender c.vpk -o whole.vpf --spp 70 --resolution 40x30 --long-steps on --reproducible
volrender c.vpk -o part.vpf --spp 30 --resolution 40x30 --long-steps on
volrender c.vpk --resume part.vpf --spp 68
volrender c.vpk --resume part.vpf --long-steps auto --spp 70 --reproducible
cmp whole.vpf part.vpf
