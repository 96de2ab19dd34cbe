# Reports and maps are written.
# grep: because      seed: 1 against 2
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9,.5,.2 -o c.vpk
volrender c.vpk -o a.vpf --spp 8 --resolution 48x32 --seed 1
volrender c.vpk -o b.vpf --spp 8 --resolution 48x32 --seed 2
volcompare a.vpf b.vpf --statistical --map flip f.png --map z z.exr --map difference d.png --html p.html --junit j.xml
test -s f.png
test -s d.png
volcompare z.exr z.exr
python3 -c '
import xml.dom.minidom as x
d = x.parse("j.xml")
assert d.documentElement.getAttribute("failures") == "0"
'
grep -q '<span class="pass">' p.html
test "$(grep -o 'data:image/png' p.html | wc -l)" -eq 16
expect_status 1 grep -q 'http' p.html
expect_status 1 volcompare a.vpf b.vpf --junit k.xml
