# Merged ranges are the whole.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
for part in 0:3 3:5 8:4; do
    volrender c.vpk -o $part.vpf --samples $part --resolution 80x60 --seed 5
done
volmerge 8:4.vpf 0:3.vpf 3:5.vpf -o merged.vpf --expect 0:12 --reproducible
volrender c.vpk -o whole.vpf --spp 12 --resolution 80x60 --seed 5 --reproducible
cmp whole.vpf merged.vpf
