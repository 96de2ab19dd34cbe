# Outputs never replace tables and pictures.
volprep --make cube --dims 1,1,1 --size 1mm -o a.vpk -q
cp a.vpk keep
ln -s a.vpk t.json
for o in '--materials a.vpk' '--materials t.json' '--transfer ./a.vpk' '--config a.vpk'; do
    s=0
    volprep --make cube --size 1mm $o -o a.vpk 2>err || s=$?
    test $s = 2 || exit 1
done
cmp a.vpk keep
