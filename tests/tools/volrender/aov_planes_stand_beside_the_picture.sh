# Planes of --aov change nothing else of the picture or film; they are told apart, compared and refused in words.
printf '\000\004\004\003\002\004\004\001' >in.raw
volprep in.raw --dims 2,2,2 --type u8 --pitch 1mm,1mm,1mm --materials elek2017 -o c.vpk -q
render() { volrender c.vpk --resolution 24x20 --spp 4 --reproducible "$@"; }
render -o plain.vpf -o plain.exr -o plain.png
render --aov all -o all.vpf -o all.exr -o all.png
cmp plain.png all.png
cmp <(volinfo plain.vpf | grep '^film_hash') <(volinfo all.vpf | grep '^film_hash')
for name in depth.Z N.X N.Y N.Z albedo.R label.Y worldToCamera worldToNDC aov.depth; do
    grep -q -a -F -- "$name" all.exr
done
grep -q -a worldToNDC plain.exr
expect_status 1 grep -q -a 'depth\.Z' plain.exr
# The colours are equal bit for bit; planes are layers, which no metric takes unless they are named.
volcompare all.exr plain.exr --threshold 'max<1e-9' --json >answer.json
grep -q 'max\.R' answer.json
expect_status 1 grep -q 'max\.[YZ]' answer.json
expect_status 1 volcompare all.exr plain.exr 2>err
grep -q 'layers differ' err
volcompare all.exr all.exr
volcompare all.exr all.exr --channels depth.Z --threshold 'max<1e-9' | grep -q 'max\.Z'
volcompare all.exr all.vpf --statistical
render --denoise on -o on.exr
render --aov depth --denoise on -o denoised.exr
grep -q -a 'depth\.Z' denoised.exr
volcompare denoised.exr on.exr --threshold 'max<1e-9'
volrender c.vpk --resume plain.vpf --spp 8 --aov normal,label -o more.exr -o more.vpf
grep -q -a 'label\.Y' more.exr
render --aov all --turntable 2 -o 'view%d.exr'
grep -q -a 'depth\.Z' view1.exr
expect_status 2 volrender c.vpk --aov depth -o no.png 2>err
grep -q 'write an .exr as well' err
expect_status 2 volrender c.vpk --aov depth,z -o no.exr 2>err
grep -q "no plane 'z'.*depth,normal,albedo,label" err
expect_status 2 volrender c.vpk --aov depth --probe top -o no.exr 2>err
grep -q 'a probe has no camera.*leave depth out' err
volrender c.vpk --aov all --probe top --spp 1 -o probe.exr 2>err
grep -q 'leaves out depth' err
expect_status 1 grep -q -a worldToNDC probe.exr
volprep --make cube --size 2mm --dims 8,8,8 --sigma-t 4 --albedo 0.9 -o c.vpk
expect_status 2 volrender c.vpk --aov label -o no.exr 2>err
grep -q 'has no materials.*--aov all' err
test ! -e no.exr -a ! -e no.png
render --aov all -o grey.exr 2>err
grep -q 'leaves out label' err
grep -q -a 'albedo\.Y' grey.exr
