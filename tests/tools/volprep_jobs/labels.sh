# Labels.
# grep: materials.support: ["support"]
# grep: colour.support: #0102ff
python3 $VOLPT_TESTS_DIR/tools/make_job.py job.gcvf '#0102ff'
volprep job.gcvf --materials elek2017 --label '#0102ff=support' -o v.vpk
volprep v.vpk --export a.gcvf
volprep a.gcvf --materials elek2017 -o w.vpk
volinfo w.vpk
