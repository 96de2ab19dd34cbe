# From places the camera alone.
# grep: contradicts --origin and --target
# grep: a probe has its own view
volprep --make cube --dims 2,2,2 --size 1mm --sigma-t 10 --albedo .9 -o c.vpk -q
for o in '--origin 0,0,5' '--target 0,0,0' '--probe top'; do
    s=0
    volrender c.vpk --from +x $o -o a.vpf 2>err || s=$?
    cat err
    test $s = 2
done
s=0
volrender c.vpk --from 10,95 -o a.vpf 2>err || s=$?
test $s = 2
grep -q 'beyond the poles' err
test ! -e a.vpf
expect_status 2 volrender c.vpk --from +w -o a.vpf
