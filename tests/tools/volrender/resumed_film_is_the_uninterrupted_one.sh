# Resumed film is the uninterrupted one.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
volrender c.vpk -o whole.vpf --spp 12 --resolution 80x60 --alpha 0.2 --reproducible
volrender c.vpk -o part.vpf --spp 5 --resolution 80x60 --alpha 0.2
volrender c.vpk --resume part.vpf --spp 12 --reproducible
cmp whole.vpf part.vpf
