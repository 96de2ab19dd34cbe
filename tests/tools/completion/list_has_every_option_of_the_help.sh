# List has every option of the help.
for t in volprep volrender volcompare volmerge volinfo; do
    $t --help | sed -n 's/^  \(-[a-zA-Z] \[ \)\{0,1\}--\([a-z0-9-]*\).*/\2/p' | sort -u >help
    test -s help
    $t --list-options | awk -F '\t' '$1 == "option" { print $2 }' >list
    while read -r o; do grep -qx -e "$o" list || { echo "$t: no $o"; exit 1; }; done <help
done
