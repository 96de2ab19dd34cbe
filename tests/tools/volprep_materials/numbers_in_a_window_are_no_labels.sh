# Numbers in a window are no labels.
python3 -c 'open("l.raw","wb").write(bytes([0,1,2,5])*128)'
for o in '--window 0,5' '--opacity 0:0,5:1' '--materials t.json'; do
    echo '{"materials": [{"name": "a", "id": 0, "air": true}, {"name": "b", "id": 1, "sigma_t": [1], "albedo": [1]}, {"name": "c", "id": 2, "sigma_t": [1], "albedo": [1]}, {"name": "d", "id": 5, "sigma_t": [1], "albedo": [1]}]}' >t.json
    volprep l.raw --dims 8,8,8 --type u8 --pitch 1mm $o -o l.vpk 2>err
    expect_status 1 grep -q 'look like labels' err
done
