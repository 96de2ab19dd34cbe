# Probe pictures keep lab with its errors.
# grep: max.a
volprep --make slab --dims 8,8,4 --size 2mm,2mm,4mm --materials elek2017 --material C -o c.vpk -q
volrender c.vpk --probe top --sides periodic -o c.vpf -o c.exr --spp 64
volcompare c.exr c.vpf
volcompare c.exr c.vpf --channels Lab.L,Lab.a,Lab.b --metric max
grep -aq 'standard_error.Lab.L' c.exr
grep -aq 'CIE 1931 2 degrees' c.exr
