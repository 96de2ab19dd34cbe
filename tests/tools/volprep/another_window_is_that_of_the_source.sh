# Another window is that of the source.
head -c 48000 /dev/urandom >in.raw
file='in.raw --dims 40,30,20 --type i16 --pitch 1,2,3 --scale 3 --reproducible -q'
volprep $file --window -20000,20000 --transfer grey-red-blue -o a.vpk
for map in '--window -300,9000' '--window -20000,500' '--opacity -900:0,0:.5,700:2' '--window 0,9 --albedo .1,.2' \
    '--opacity 0:0,90:1 --albedo-curve 0:1:1,5:0:1' '--window 1.5,9 --bands 0,2' '--window 0,99 --encode u8'; do
    old=
    if [[ $map != *albedo* ]]; then old='--transfer grey-red-blue'; fi
    volprep a.vpk $map --reproducible -o b.vpk -q
    volprep $file $old $map -o c.vpk
    cmp b.vpk c.vpk
done
volprep a.vpk --window -20000,500 -o d.vpk --json >d.json
volprep $file --window -20000,500 -o e.vpk --json >e.json
python3 -c '
import json
a, b = (json.load(open(f)) for f in ("d.json", "e.json"))
assert (
    a["notices"] == b["notices"]
    and "were clamped" in a["notices"][0]
    and a["source_values"]["clamped"] == b["source_values"]["clamped"]
), a
'
