# Colours that are not read are named where a mesh is refused for having none.
# grep: the mesh has no colours
# grep: pbmetallicdisplayproperties> is not supported and left out
python3 -c '
import zipfile
core = "http://schemas.microsoft.com/3dmanufacturing/"
triangles = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
mesh = "<mesh><vertices>" + "".join(f"<vertex x=\"{x}\" y=\"{y}\" z=\"{z}\"/>" for x, y, z in ((0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2)))
mesh += "</vertices><triangles>" + "".join(f"<triangle v1=\"{a}\" v2=\"{b}\" v3=\"{c}\" pid=\"7\" p1=\"0\"/>" for a, b, c in triangles) + "</triangles></mesh>"
group = "<m:pbmetallicdisplayproperties id=\"7\"/>"
model = f"<model xmlns=\"{core}core/2015/02\" xmlns:m=\"{core}material/2015/02\"><resources>{group}<object id=\"1\">{mesh}</object></resources><build><item objectid=\"1\"/></build></model>"
rels = f"<Relationships><Relationship Type=\"{core}2013/01/3dmodel\" Target=\"/3D/m.model\" Id=\"r\"/></Relationships>"
with zipfile.ZipFile("m.3mf", "w") as package:
    package.writestr("_rels/.rels", rels)
    package.writestr("3D/m.model", model)
'
expect_status 3 volprep m.3mf --print-mesh --pitch .1mm --materials elek2017 -o m.vpk
