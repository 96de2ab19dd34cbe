# Jpeg shows what the png shows.
volprep --make checker --dims 4,4,4 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
volrender c.vpk -o c.vpf -o c.png -o c.JPG -o c.jpeg --resolution 40x30 --spp 4 --exposure 0.5
cmp c.JPG c.jpeg
test "$(head -c 3 c.jpeg | od -An -tx1 | tr -d ' ')" = ffd8ff
volinfo c.vpk --slice 0 s.jpg
volcompare c.png c.png --map difference d.jpg --sheet e.jpg
test -s s.jpg
test -s d.jpg
test -s e.jpg
