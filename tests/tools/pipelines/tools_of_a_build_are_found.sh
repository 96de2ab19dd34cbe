# Tools of a build are found.
mkdir -p c/pipelines c/build/quickstart/bin
cp $VOLPT_TESTS_DIR/../pipelines/*.sh c/pipelines
b=$(command -v volprep)
ln -s ${b%/*}/vol* c/build/quickstart/bin
VOLPT_DATA_DIR=$VOLPT_TESTS_DIR/../pipelines/data PATH=/usr/bin:/bin bash c/pipelines/print_texture.sh \
    $VOLPT_TESTS_DIR/../pipelines/data/chart.png out SIZE=2mm,1mm CORE=0.5mm INK_DEPTH=0.1mm DPI=75 SPP=2
test -s out/sheet.png
