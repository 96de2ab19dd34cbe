# Grey film goes on grey.
python3 -c '
import struct
open("sky.pfm", "wb").write(b"PF\n16 8\n-1\n" + b"".join(struct.pack("<3f", 0.3, 0.5, 0.1 * (i % 9)) for i in range(128)))
'
common='--resolution 20x15 --env sky.pfm -q'
volprep --make checker --dims 16,16,16 --size 10mm --sigma-t .5 --albedo .9 -o g.vpk -q
volrender g.vpk $common --bands volume --spp 2 -o grey.vpf
volrender g.vpk $common --bands volume --spp 4 -o whole.vpf
volrender g.vpk $common --resume grey.vpf --spp 4
volcompare grey.vpf whole.vpf
test "$(volinfo grey.vpf | grep '^bands')" = 'bands: 1'
volrender g.vpk $common --spp 2 -o coloured.vpf
volrender g.vpk $common --samples 2:2 -o rest.vpf
volmerge coloured.vpf rest.vpf -o merged.vpf -q
volrender g.vpk $common --resume coloured.vpf --spp 4
volcompare coloured.vpf merged.vpf
volcompare --against-cpu g.vpk coloured.vpf --env sky.pfm
test "$(volinfo coloured.vpf | grep '^bands')" = 'bands: 3'
expect_status 2 volrender g.vpk $common --resume coloured.vpf --spp 8 --bands volume
