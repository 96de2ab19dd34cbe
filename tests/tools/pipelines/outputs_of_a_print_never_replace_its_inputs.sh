# Outputs of a print never replace its inputs.
p=$VOLPT_TESTS_DIR/../pipelines
mkdir out
cp $p/data/chart.png out/top.png
ln -s out/top.png link.png
: >t.ply
cp out/top.png kept
for words in 'out/top.png out' 'link.png ./out' 't.ply out TEXTURE=out/top.png' 'kept out TARGET=link.png' 'out out'; do
    r=0
    bash $p/print_texture.sh $words 2>err || r=$?
    cat err
    test $r = 2
    grep -q 'give another folder' err
    cmp out/top.png kept
    test "$(ls out)" = top.png
done
