# Print of a job with support ends in views.
# grep: are under support
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
p=$VOLPT_TESTS_DIR/../pipelines
python3 -B $p/make_supported_ball.py b.gcvf l.pfm --diameter 1.5
bash $p/print_texture.sh b.gcvf out SURFACE=smooth LABEL='#ff8000=support,#ff00ff=M' VIEW_SPP=1 VIEW_PIXELS=24x36
grep -q '<figcaption>left</figcaption>' out/sheet.html
