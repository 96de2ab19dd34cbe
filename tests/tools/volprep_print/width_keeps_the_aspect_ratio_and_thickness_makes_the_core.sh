# Width keeps the aspect ratio and thickness makes the core.
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --width 6mm --thickness 2mm --ink-depth 0.27mm \
    --materials elek2017 -o p.vpk --json >j
cat j
python3 -c '
import json
j = json.load(open("j"))
assert (
    j["dims"] == [142, 47, 74]
    and j["ink_layers"] == 10
    and j["core_layers"] == 64
    and len(j["notices"]) == 1
    and "no colour profile" in j["notices"][0]
), j
'
