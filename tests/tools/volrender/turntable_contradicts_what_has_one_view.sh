# Turntable contradicts what has one view.
volprep --make cube --size 1mm -o c.vpk -q
for o in '--resume a.vpf' '--trials 2' '--probe top' '--from +z' '--from 10,-90' '--tally absorbed'; do
    s=0
    volrender c.vpk --turntable 2 -o 't%d.exr' $o 2>err || s=$?
    test $s = 2
    grep -q 'contradict each other' err || { cat err; exit 1; }
done
test ! -e t0.exr
