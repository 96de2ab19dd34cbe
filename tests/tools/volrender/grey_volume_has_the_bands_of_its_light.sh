# Grey volume has the bands of its light.
# grep: --bands volume keeps it grey
common='--spp 4 --resolution 20x15'
volprep --make checker --dims 16,16,16 --size 10mm --sigma-t .5 --albedo .9 -o grey.vpk -q
volprep --make checker --dims 16,16,16 --size 10mm --sigma-t .5 --albedo .9,.9,.9 -o equal.vpk -q
for light in '--env .4,.5,.7' '--env 1 --env-below .4,.5,.7' '--env 1 --ground diffuse:.2,.3,.4' '--light "sun direction=0,0,-1 irradiance=2,1,3 angle=20"'; do
    eval "volrender grey.vpk $light $common -o grey.vpf -o grey.pfm -o grey.exr -o grey.png"
    eval "volrender equal.vpk $light $common -o equal.pfm -q"
    cmp grey.pfm equal.pfm
    volcompare --against-cpu grey.vpk grey.vpf
    test "$(volinfo grey.vpf | grep '^bands')" = 'bands: 3'
done
test "$(volinfo grey.vpf | grep '^scene.volume_checksum' | cut -d ' ' -f 2)" = "$(volinfo grey.vpk | grep '^data_checksum' | cut -d ' ' -f 2)"
