# Settings of another kind are usage errors.
p=$VOLPT_TESTS_DIR/../pipelines
mkdir s
for words in 't.ply out CORE=1mm' 't.ply out HALFTONE=mixture' 't.ply out DPI=75' 't.ply out LABEL=#ffffff=W' \
    's out TEXTURE=t.png' 's out INK_DEPTH=1mm' 's out COLOUR=#ffffff' 's out VIEW_SPP=1' 's out SURFACE=smooth DPI=75' \
    't.png out SURFACE=smooth' 't.png out TEXTURE=t.png' 't.png out MESH_UP=+y' 't.png out AIR=black' 't.png out TEXELS=9'; do
    r=0
    bash $p/print_texture.sh $words 2>err || r=$?
    cat err
    test $r = 2
    grep -q 'is no setting of' err
    test ! -e out
done
