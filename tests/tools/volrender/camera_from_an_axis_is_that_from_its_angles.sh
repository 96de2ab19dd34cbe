# Camera from an axis is that from its angles.
volprep --make cube --dims 8,8,8 --size 2mm,2mm,2mm --sigma-t 10 --albedo .9 -o c.vpk -q
for pair in '+x 90,0' '-y 0,0' '+y 180,0' '-x 270,0' '+z 0,90' '-z 0,-90'; do
    set -- $pair
    volrender c.vpk --from $1 --resolution 16x12 --spp 1 -o a.vpf -q >a.txt
    volrender c.vpk --from $2 --resolution 16x12 --spp 1 -o b.vpf -q >b.txt
    test "$(grep ^scene_hash a.txt)" = "$(grep ^scene_hash b.txt)"
    grep ^scene_hash a.txt >>hashes
done
test "$(sort -u hashes | wc -l)" -eq 6
