# A Git LFS pointer in place of an input is told as such by whatever opens it.
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n' >p
volprep --make cube --dims 4,4,4 --size 1mm --sigma-t 1 --albedo .9 -q -o c.vpk
volrender c.vpk --resolution 8x8 --spp 1 -q -o c.vpf -o c.png
for extension in png exr hdr pfm jpg bmp tif vpk vpf json icc stl ply obj glb gltf 3mf raw xml dcm; do cp p p.$extension; done
python3 -B "$VOLPT_TESTS_DIR/tools/make_pictures.py" rgb plain.png 20 10
mkdir slices
cp p slices/0.png
printf 'NDims = 3\nDimSize = 4 4 4\nElementType = MET_UCHAR\nElementSpacing = 1 1 1\nElementDataFile = p.raw\n' >d.mhd
printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 4 4\nencoding: raw\ndata file: p.raw\n\n' >d.nhdr
print='volprep --print c.png --size 2mm,2mm --core 1mm -o o.vpk --materials'
while read -r line; do
    status=0
    $line >said 2>&1 || status=$?
    if [[ $status != 3 ]] || ! grep -q 'is the pointer of a file kept in Git LFS.*git lfs pull' said; then
        echo "$status: $line"
        cat said
        exit 1
    fi
done <<LINES
volcompare p.png c.png
volcompare c.png p.exr
volcompare p.hdr c.png
volcompare p.pfm c.png
volcompare p.jpg c.png
volcompare p.bmp c.png
volcompare p.vpf c.vpf
volcompare --suite p.json
volrender c.vpk --env p.exr -o x.png
volrender c.vpk --env p.hdr -o x.png
volrender p.vpk -o x.png
volinfo p.vpk
volinfo p.vpf
volinfo p.stl
volinfo p.json
volinfo slices
volmerge p.vpf -o y.vpf
volprep --slab p.png --dims 4,4,4 --size 1mm -o o.vpk
$print p.json
volprep --print plain.png --size 2mm,2mm --core 1mm --materials elek2017 --picture-profile p.icc -o o.vpk
volprep --print p.bmp --size 2mm,2mm --core 1mm --materials elek2017 -o o.vpk
volprep p.stl --sigma-t 1 --albedo .9 -o o.vpk
volprep p.ply --sigma-t 1 --albedo .9 -o o.vpk
volprep p.obj --sigma-t 1 --albedo .9 -o o.vpk
volprep p.glb --sigma-t 1 --albedo .9 -o o.vpk
volprep p.3mf --sigma-t 1 --albedo .9 -o o.vpk
volprep p.json -o o.vpk
volprep p.xml -o o.vpk
volprep p.dcm -o o.vpk
volprep slices --pitch 1 -o o.vpk
volprep d.mhd -o o.vpk
volprep d.nhdr -o o.vpk
volprep p.raw --dims 4,4,4 --type u8 --pitch 1 -o o.vpk
LINES
