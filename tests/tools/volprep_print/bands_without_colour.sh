# Bands without colour.
# grep: bands have no colours
echo '{"materials": [{"name": "W", "sigma_t": [5, 5], "albedo": [0.9, 0.9]}, {"name": "K", "sigma_t": [5, 5], "albedo": [0.2, 0.2]}]}' >two.json
expect_status 2 volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 3mm,2mm --core 1mm --materials two.json \
    -o q.vpk
