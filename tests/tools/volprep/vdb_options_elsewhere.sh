# Vdb options elsewhere.
# grep: it requires an OpenVDB file
for o in '--density-grid a' '--albedo-grid a' '--interior 1'; do
    head -c 8 /dev/zero >in.raw
    for i in 'in.raw --dims 2,2,2 --type u8' '--make cube --size 1mm' "$VOLPT_TESTS_DIR/fuzz/seeds/metaimage/raw.mha" \
        $VOLPT_TESTS_DIR/frozen/tiny.vpk; do
        s=0
        volprep $i $o -o o.vpk || s=$?
        test $s = 2
    done
done
