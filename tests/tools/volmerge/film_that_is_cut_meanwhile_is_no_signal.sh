# Film that is cut meanwhile is no signal.
volprep --make cube --dims 1,1,1 --size 1mm -o c.vpk -q
volrender c.vpk -o a.vpf --spp 1 --resolution 1500x1500 -q >/dev/null
cp a.vpf b.vpf
for t in 1 2 3 4 5; do
    volmerge b.vpf -o m.vpf -q >/dev/null 2>err &
    sleep 0.0$t
    : >b.vpf
    s=0
    wait $! || s=$?
    cp a.vpf b.vpf
    [[ $s = 0 || $s = 3 ]]
done
