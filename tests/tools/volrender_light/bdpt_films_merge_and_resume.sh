# Bdpt films merge and resume.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o c.vpk -q
r="volrender c.vpk --reproducible -q --resolution 8x8 --integrator bdpt --heuristic power"
r="$r --light"
L='sphere center=0,0,3 radius=1 power=1'
$r "$L" --spp 8 -o all.vpf
$r "$L" --samples 0:3 -o a.vpf
$r "$L" --samples 3:5 -o b.vpf
volmerge a.vpf b.vpf -o m.vpf
volcompare all.vpf m.vpf
$r "$L" --resume a.vpf --spp 8 -o r.vpf
volcompare all.vpf r.vpf
volinfo --verify full m.vpf
volinfo m.vpf | grep -q heuristic
expect_status 2 volrender c.vpk --heuristic power --light "$L" --spp 1 -o x.vpf 2>err
grep -q bdpt err
