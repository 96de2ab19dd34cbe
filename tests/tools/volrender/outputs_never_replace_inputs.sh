# Outputs never replace inputs.
volprep --make cube --dims 1,1,1 --size 1mm -o c.vpk -q
printf 'Pf\n2 1\n-1.0\n\0\0\200\77\0\0\200\77' >sky.pfm
ln sky.pfm hard.pfm
ln -s c.vpk soft.vpf
echo 'spp = 2' >o.cfg
sum=$(cat c.vpk sky.pfm o.cfg | sha256sum)
for o in '-o sky.pfm --env sky.pfm' '-o hard.pfm --env ./sky.pfm' '-o soft.vpf' '-o o.cfg --config o.cfg'; do
    s=0
    volrender c.vpk --spp 2 $o 2>err || s=$?
    test $s = 2
    grep -q 'same file' err || exit 1
done
test "$sum" = "$(cat c.vpk sky.pfm o.cfg | sha256sum)"
