# Job in.
# grep: 4x3x30 voxels of 0.0423333x0.0846667x0.027 mm
# grep: job.XDpi: 600
# grep: --pitch 0.0423,0.0847,0.03 mm is used, the job says 0.042333,0.084667,0.027 mm
python3 $VOLPT_TESTS_DIR/tools/make_job.py job.gcvf
volprep job.gcvf --materials elek2017 -o v.vpk
volinfo v.vpk
volprep job.gcvf --materials elek2017 --pitch 42.3um,84.7um,30um -o w.vpk
