# Other inks.
# grep: "core_material": "Y"
# grep: "core_material": "chalk"
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 3mm,2mm --core 1mm --core-material Y --materials elek2017 \
    -o p.vpk --json
echo '{"materials": [{"name": "ink", "sigma_t": [5, 5, 5], "albedo": [0.2, 0.2, 0.2]}, {"name": "chalk", "sigma_t": [9, 9, 9], "albedo": [0.999, 0.999, 0.999]}]}' >two.json
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 3mm,2mm --core 1mm --materials two.json -o q.vpk --json
