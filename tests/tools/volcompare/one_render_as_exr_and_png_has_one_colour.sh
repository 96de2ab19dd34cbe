# One render with alpha, premultiplied and straight: flip and Delta E agree that it is the same; the figures of a vanished object do not.
volprep --make sphere --dims 16,16,16 --size 10mm --sigma-t 0.3 --albedo .9,.8,.7 -o s.vpk -q
volrender s.vpk --resolution 32x32 --spp 64 --transparent -o s.png -o s.exr -q
volcompare s.exr s.png --threshold 'de2000.mean<0.1 and flip.mean<0.01 and rmse<0.002' --json >a.json
volprep --make cube --size 4mm --sigma-t 100 --albedo 0 -o b.vpk -q
volprep --make cube --size 4mm --sigma-t 1e-9 --albedo 0 -o n.vpk -q
for v in b n; do volrender $v.vpk --resolution 24x24 --spp 16 --transparent -o $v.exr -o $v.png -q; done
for e in exr png; do
    for limit in 'flip.mean<0.01' 'hdrflip.mean<0.01' 'de76.max<0.5' 'de94.max<0.5' 'de2000.max<0.5' 'ssim>0.99' 'psnr>40' 'max<0.01'; do
        expect_status 1 volcompare n.$e b.$e --threshold "$limit" >answer
        grep -q 'because' answer
    done
    volcompare n.$e b.$e --threshold 'de2000.max<0.5' --background black >answer
    grep -q 'alpha .* compares what is displayed over black$' answer
done
# Mixed forms of the two.
expect_status 1 volcompare n.exr b.png --threshold 'de2000.max<0.5'
expect_status 1 volcompare n.png b.exr
python3 -c '
import json
a = json.load(open("a.json"))
assert a["alpha"]["backgrounds"] == ["black", "white"] and 0.9 < a["alpha"]["share_not_opaque"] <= 1, a["alpha"]
assert a["judged_by"] == "threshold"
'
