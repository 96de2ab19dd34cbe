# Coverage of damaged labels is refused.
# grep: label.voxels
cp $VOLPT_TESTS_DIR/frozen/tiny_labels.vpk x.vpk
chmod +w x.vpk
python3 -c '
d = bytearray(open("x.vpk", "rb").read())
i = next(o for o in range(0, 4096) if d[o : o + 12] == b"label.voxels")
at = int.from_bytes(d[i + 16 : i + 24], "little")
d[at] ^= 1
open("x.vpk", "wb").write(d)
'
expect_status 3 volinfo x.vpk --coverage c.svg
