# Verdicts without a target are usage errors.
p=$VOLPT_TESTS_DIR/../pipelines
mkdir s
: >t.ply
for words in 't.ply out THRESHOLD=de2000.mean<9' 't.ply out COLOUR=#ffffff TARGET=t.png' \
    't.ply out TEXTURE=t.png SURFACE=voxels THRESHOLD=de2000.mean<9' 's out SURFACE=smooth TARGET=t.png' \
    's out THRESHOLD=de2000.mean<9'; do
    r=0
    bash $p/print_texture.sh $words 2>err || r=$?
    cat err
    test $r = 2
    grep -q 'nothing to compare' err
    test ! -e out
done
