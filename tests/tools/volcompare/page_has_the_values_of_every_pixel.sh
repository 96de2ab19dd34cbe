# Page has the values of every pixel.
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9,.5,.2 -o c.vpk
volrender c.vpk -o a.vpf -o a.pfm --spp 8 --resolution 48x32 --seed 1
volrender c.vpk -o b.vpf --spp 8 --resolution 48x32 --seed 2
volcompare a.vpf b.vpf --statistical --html p.html --map blocks b.exr
volcompare b.exr b.exr
python3 -c '
import base64, re, struct
text = re.search(r"data-side=.test. data-channels=.R G B. data-width=.48. data-height=.32.>([^<]*)<", open("p.html").read())[1]
page = struct.unpack("<4608f", base64.b64decode(text))
pfm = struct.unpack("<4608f", open("a.pfm", "rb").read()[-4608 * 4 :])
assert all(
    page[c * 1536 + y * 48 + x] == pfm[((31 - y) * 48 + x) * 3 + c] for c in range(3) for y in range(32) for x in range(48)
)
'
