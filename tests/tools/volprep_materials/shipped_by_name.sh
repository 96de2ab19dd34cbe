# Shipped by name.
# grep: 36 bands
# grep: "bands": 36
# grep: wavelengths_nm: [380.0,390.0
for t in elek2017 elek2017.json elek2017_36 forti2018; do
    volprep --make slab --size 10mm --materials $t --material W -o w.vpk --json
done
volprep --make slab --size 10mm --materials elek2017_36 --material C -o c.vpk
volinfo c.vpk
