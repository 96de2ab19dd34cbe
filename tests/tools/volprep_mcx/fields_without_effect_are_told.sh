# Fields without effect are told, with what to give instead.
# grep: Session.OutputType 'J' is not computed: --tally of volrender gives fluence or energy, no Jacobians
# grep: Session.SaveDataMask has no effect: detected photons are counted
# grep: Session.DebugFlag has no effect
# grep: without effect here: Domain.Media[1].name, Session.ID
printf '%s' '{"Session": {"ID": "a", "OutputType": "J", "SaveDataMask": "DSP", "DebugFlag": "M"},
    "Help": "one
two", "Domain": {"OriginType": 1, "Media": [{"mua": 0, "mus": 0, "g": 1, "n": 1}, {"mua": 1, "mus": 1, "g": 0, "n": 1, "name": "skin"}]},
    "Shapes": [{"Grid": {"Tag": 1, "Size": [4, 4, 4]}}]}' >a.json
volprep a.json -o a.vpk
