# Zsh parses every file.
command -v zsh >/dev/null || { echo 'skipped: zsh is not installed'; exit 77; }
s=$(dirname "$(command -v volrender)")/../share/zsh/site-functions
test -e $s/_volrender || { echo 'skipped: this build has no completion'; exit 77; }
n=0
for f in $s/_*; do
    zsh -n $f
    head -n 1 $f | grep -q '^#compdef vol'
    n=$((n + 1))
done
test $n -ge 6
