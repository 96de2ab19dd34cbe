# Denoised pictures say so, and are judged by thresholds alone; the film stays that of the samples.
volprep --make cube --size 2mm --dims 8,8,8 --sigma-t 4 --albedo 0.9 -o c.vpk
render() { volrender c.vpk --resolution 24x24 --spp 4 "$@"; }
render -o plain.vpf -o plain.png -o plain.exr
render --denoise on -o film.vpf -o on.png -o on.exr
cmp <(volinfo plain.vpf | grep '^film_hash') <(volinfo film.vpf | grep '^film_hash')
if cmp -s plain.png on.png; then exit 1; fi
strings on.png | grep -q denoised
strings on.exr | grep -q denoised
if strings plain.png plain.exr | grep -q denoised; then exit 1; fi
for words in '' --statistical; do
    r=0
    volcompare on.exr plain.exr $words 2>err || r=$?
    [[ $r == 2 ]]
    grep -q 'is denoised' err
done
volcompare on.exr plain.exr --threshold 'rmse<0.2'
for name in a.jpg a.hdr a.pfm; do
    r=0
    volrender c.vpk --resolution 24x24 --spp 4 --denoise on -o $name 2>err || r=$?
    [[ $r == 2 ]]
    grep -q 'cannot say that its picture is denoised' err
    [[ ! -e $name ]]
done
