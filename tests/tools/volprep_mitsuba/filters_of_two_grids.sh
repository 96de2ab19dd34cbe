# The filters of extinction and albedo are kept, each by itself.
# grep: albedo_filter: trilinear
# grep: albedo_filter: nearest
# grep: albedo_filter: of scattering
python3 -c '
import struct
def write(name, channels, values):
    with open(name, "wb") as file:
        file.write(b"VOL\x03" + struct.pack("<5i6f", 1, 4, 4, 4, channels, 0, 0, 0, 1, 1, 1) + struct.pack(f"<{len(values)}f", *values))
write("d.vol", 1, [(i * 7 % 11) / 10 for i in range(64)])
write("a.vol", 3, [(i * 5 % 13) / 13 for i in range(192)])'
scene() {
    printf '<scene version="3.0.0"><medium id="m" type="heterogeneous"><float name="scale" value="4"/>'
    printf '<volume name="%s" type="gridvolume"><string name="filename" value="%s"/><string name="filter_type" value="%s"/></volume>' sigma_t d.vol "$1" albedo a.vol "$2"
    printf '</medium><shape type="cube"><ref name="interior" id="m"/><bsdf type="null"/></shape><emitter type="constant"/></scene>'
}
for pair in trilinear,trilinear trilinear,nearest nearest,nearest; do
    scene "${pair%,*}" "${pair#*,}" >s.xml
    volprep s.xml --strict --reproducible -o "$pair.vpk"
    volinfo "$pair.vpk" --verify full
    volrender "$pair.vpk" --resolution 12x12 --spp 16 --reproducible -o "$pair.vpf"
done
expect_status 1 cmp trilinear,trilinear.vpf trilinear,nearest.vpf
volprep trilinear,trilinear.vpk --filter nearest --reproducible -o again.vpk
expect_status 2 volrender trilinear,trilinear.vpk --long-steps on -o x.vpf
volprep trilinear,trilinear.vpk --albedo .5 -o one_albedo.vpk
volinfo one_albedo.vpk
