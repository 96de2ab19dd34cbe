# Turntable checks all files before it renders.
volprep --make cube --size 1mm -o c.vpk -q
printf 'PF\n2 1\n-1\n%s' 'aaaabbbbccccaaaabbbbcccc' >e2.pfm
cp e2.pfm keep
for o in '-o e%d.pfm --env e2.pfm' '-o t%d2.png -o ./t1%d.png' '-o t%d.png -o ./t%01d.png'; do
    s=0
    volrender c.vpk --turntable 13 --resolution 4x4 --spp 1 $o 2>err || s=$?
    cat err
    test $s = 2
    grep -q 'same file' err || exit 1
done
test ! -e e0.pfm
test ! -e t02.png
test ! -e t0.png
cmp e2.pfm keep
