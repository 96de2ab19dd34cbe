# Longest image is the reference.
# grep: n/16384.pfm, 16384 samples
# grep: as expected
python3 $VOLPT_TESTS_DIR/tools/make_renderings.py c.pfm 16 64 256 16384
mkdir n
for n in 16 64 256 16384; do mv c_${n}spp.pfm n/$n.pfm; done
volcompare --convergence n/16.pfm n/64.pfm n/256.pfm n/16384.pfm --spp 16,64,256,16384
