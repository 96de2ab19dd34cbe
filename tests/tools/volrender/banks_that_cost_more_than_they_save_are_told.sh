# Before banks of outcomes are made for a few pixels, a note tells how long they take; where they pay there is none.
volprep --make slab --dims 1,1,1 --size 10mm,10mm,10mm --sigma-t 20 --albedo 0.999 -o s.vpk -q
view="--probe top --sides periodic --boundary smooth --int-ior 1.5 --bank-cache off --device cpu"
volrender s.vpk $view --long-steps layers --resolution 2x2 --samples 0:1000000 -o a.vpf 2>err >out &
for _ in $(seq 1200); do
    if grep -q banks err; then break; fi
    sleep 0.1
done
kill -KILL $!
grep -q 'long steps need 15625 banks of outcomes for these samples, about .* without long steps the whole render takes about' err
volrender s.vpk $view --resolution 2x2 --spp 64 -o b.vpf 2>err >out
if grep -q banks err; then exit 1; fi
