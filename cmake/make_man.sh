# Makes a man page out of what a program's --help prints: make_man.sh PROGRAM PAGE VERSION. Plain sh and awk.
set -eu

program=$1 page=$2 version=$3
name=$(basename "$program")
mkdir -p "$(dirname "$page")"
"$program" --help >"$page.help"

# A line that starts in the first column and ends in ':' becomes a heading; everything else is kept as it is printed.
awk -v name="$name" -v version="$version" '
    function quoted(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); return text ~ /^[.\x27]/ ? "\\&" text : text }
    BEGIN { printf ".TH %s 1 \"\" \"volpt %s\" \"User Commands\"\n", toupper(name), version }
    NR == FNR { if (!summary && FNR > 1 && $0 ~ /^[A-Z]/ && $0 !~ /:$/) summary = $0; next }
    FNR == 1 {
        sub(/\.$/, "", summary)
        printf ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.nf\n", name, quoted(summary)
    }
    /^[A-Za-z].*:$/ { sub(/:$/, ""); printf ".fi\n.SH %s\n.nf\n", toupper($0); next }
    { print quoted($0) }
    END { print ".fi" }
' "$page.help" "$page.help" >"$page.partial"
rm "$page.help"
mv "$page.partial" "$page"
