# make_job.py JOB.gcvf [#rrggbb]: a job of 4 x 3 pixels and 30 slices, cyan on black; the last pixel has the colour.
import struct, sys, zipfile, zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def make_png(pixels, width):
    rows = [b"\0" + b"".join(pixels[i : i + width]) for i in range(0, len(pixels), width)]
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b"")


last = bytes.fromhex(sys.argv[2][1:]) if len(sys.argv) > 2 else b"\xff\xff\xff"
png = make_png([b"\0\0\0\xff"] * 6 + [b"\0\xff\xff\xff"] * 5 + [last + b"\xff"], 4)
manifest = """<?xml version="1.0"?><GCVF><Version>2</Version>
<Resolution><XDpi>600</XDpi><YDpi>300</YDpi><SliceThicknessNanoMeter>27000</SliceThicknessNanoMeter></Resolution>
<SliceDimensions><SliceWidth>4</SliceWidth><SliceHeight>3</SliceHeight></SliceDimensions>
<SliceRange><StartIndex>0</StartIndex><NumberOfSlices>30</NumberOfSlices></SliceRange>
<ImageFilePrefix>layer_</ImageFilePrefix><MaterialList><BackGroundMaterialRGBA>0 0 0 255</BackGroundMaterialRGBA>
<Material><Name>VeroCY-V</Name><RGBA>0 255 255 255</RGBA><VoxelCount>150</VoxelCount></Material></MaterialList></GCVF>"""
with zipfile.ZipFile(sys.argv[1], "w") as job:
    job.writestr("ConfigFile.xml", manifest)
    for i in range(30):
        job.writestr(f"layer_{i}.png", png)
