# Probe has a view and light of its own.
volprep --make slab --size 1mm --materials elek2017 --material W -o w.vpk -q
for o in '--fov 30' '--origin 0,0,5' '--up 0,1,0' '--ortho 3mm' '--env 2' '--env-below 0' '--env-up +z' '--env-rotate 20'; do
    s=0
    volrender w.vpk --probe top $o -o w.vpf 2>err || s=$?
    test $s = 2
    grep -q 'its own view and light' err || exit 1
done
