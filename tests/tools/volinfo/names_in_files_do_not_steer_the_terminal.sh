# Names in files do not steer the terminal.
# grep: a\x1b]0;pwn\x07\x0d
printf 'NDims = 3\nDimSize = 1 1 1\nElementType = MET_UCHAR\nComment = a\033]0;pwn\007\rverified: full\nElementDataFile = LOCAL\n\1' >e.mha
volprep e.mha -o e.vpk -q >/dev/null
volinfo e.vpk >out
expect_status 1 env LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out
cat out
