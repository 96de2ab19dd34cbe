# Coat and job in one command.
# grep: clear
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 1 --albedo 0.9 -o c.vpk -q
python3 $VOLPT_TESTS_DIR/tools/make_letter_cube.py
volprep cube.obj --print-mesh --pitch .1mm --ink-depth .3mm --clear-coat .2mm --materials elek2017 -o cube.vpk \
    --export cube.gcvf -q
volprep cube.gcvf --materials elek2017 --label '#d0e8ff=clear' -o again.vpk
volinfo again.vpk --histogram
