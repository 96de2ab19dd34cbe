# Faces under support.
# grep: 120 triangles, 0.10287 mm2, are under support
# grep: support_alpha: 0.3
# grep: triangles_under_support: 120
python3 $VOLPT_TESTS_DIR/tools/make_job.py job.gcvf '#0102ff'
volprep job.gcvf --materials elek2017 --label '#0102ff=support' --surface voxels -o v.vpk
volinfo v.vpk --verify full --json | python3 -c '
import json, sys
s = json.load(sys.stdin)["surface"]
assert s["triangles_under_support"] == 120 and abs(s["area_under_support_mm2"] - 0.10287) < 1e-6, s
'
r() {
    volrender $1.vpk --device cpu --resolution 16x16 --spp 4 -o $2.vpf -q "${@:3}"
    volinfo $2.vpf | grep -E '^scene(_hash|.boundary)' >$2.txt
}
r v a
r v b --support-alpha .3 --microfacets multiple
cmp a.txt b.txt
cat a.txt
r v c --support-alpha 0
r v d --boundary none
volrender v.vpk --resume c.vpf --spp 6 -q
grep -q 'support_alpha: 0$' c.txt
s=0
grep -q support d.txt || s=$?
test $s = 1
volprep v.vpk --bands 0 -o w.vpk -q
volinfo w.vpk
