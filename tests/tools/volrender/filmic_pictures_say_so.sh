# --tone filmic is told in .png, noted by volcompare, and changes neither films nor other pictures.
volprep --make cube --size 2mm --dims 8,8,8 --sigma-t 4 --albedo 0.9 -o c.vpk
render() { volrender c.vpk --resolution 24x24 --spp 4 --reproducible "$@"; }
render -o plain.vpf -o plain.png -o plain.exr
render --tone srgb -o srgb.png
cmp plain.png srgb.png
render --tone filmic -o film.vpf -o filmic.png -o filmic.exr -o filmic.jpg
cmp plain.exr filmic.exr
cmp plain.vpf film.vpf
grep -q -a filmic filmic.png
expect_status 1 grep -q -a filmic plain.png
for other in plain.png plain.exr; do
    volcompare filmic.png $other --threshold 'rmse<1' 2>err
    grep -q 'filmic.png: shows light by the tone filmic' err
done
volcompare filmic.png filmic.png 2>err
expect_status 1 grep -q 'the tone' err
volmerge plain.vpf --tone filmic --exposure auto -o merged.png
grep -q -a filmic merged.png
for word in linear aces; do
    expect_status 2 volrender c.vpk --tone $word -o no.png 2>err
    grep -q -e '--tone' err
done
test ! -e no.png
