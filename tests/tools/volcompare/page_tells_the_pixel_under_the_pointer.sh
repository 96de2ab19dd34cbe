# Page tells the pixel under the pointer.
# grep: 20 pixels, 0 faults
python3 -c '
import struct
row = lambda x, y, add: x / 8 + 2 * y + add * (0.25 + (x == 20 and y == 11))
[
    open(name, "wb").write(
        b"Pf\n40 24\n-1\n" + struct.pack("<960f", *[row(x, y, add) for y in reversed(range(24)) for x in range(40)])
    )
    for name, add in (("a.pfm", 0), ("b.pfm", 1.5))
]
'
{ volcompare a.pfm b.pfm --html p.html || test $? = 1; }
python3 $VOLPT_TESTS_DIR/tools/volcompare_page.py p.html a.pfm b.pfm
