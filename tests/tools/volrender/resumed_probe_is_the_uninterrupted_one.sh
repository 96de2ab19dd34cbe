# Resumed probe is the uninterrupted one.
# grep: equal bits   yes
volprep --make slab --size 1mm --materials elek2017 --material C -o c.vpk -q
common='--probe top --dpi 150 --backing white --view diffuse --reproducible'
volrender c.vpk $common -o whole.vpf --spp 12
volrender c.vpk $common -o part.vpf --spp 5
volrender c.vpk --resume part.vpf --spp 12 --reproducible
cmp whole.vpf part.vpf
volcompare --against-cpu c.vpk part.vpf
s=0
volrender c.vpk --resume part.vpf --spp 13 --backing mirror 2>err || s=$?
test $s = 2
grep -q 'boundary.backing mirror instead of white' err
