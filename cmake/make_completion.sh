# Makes the completion of a program for bash and zsh out of what its --list-options prints: make_completion.sh PROGRAM SHARE writes
# SHARE/bash-completion/completions/NAME and SHARE/zsh/site-functions/_NAME. Plain sh and awk.
set -eu

program=$1 share=$2
name=$(basename "$program")
parts=$(dirname "$0")
bash_file=$share/bash-completion/completions/$name
zsh_file=$share/zsh/site-functions/_$name
list=$bash_file.list
mkdir -p "$(dirname "$bash_file")" "$(dirname "$zsh_file")"
"$program" --list-options >"$list"

{
    echo "# Completion of $name for bash, made from $name --list-options."
    cat "$parts/completion.bash"
    echo "read -r -d '' _volpt_list_$name <<'END' || :"
    cut -f 1-8 "$list"
    echo END
    echo
    if [ "$name" = volpt ]; then
        cat "$parts/completion_volpt.bash"
    else
        echo "_volpt_$name() { _volpt_complete $name; }"
    fi
    echo "complete -o bashdefault -o default -F _volpt_$name $name"
} >"$bash_file.partial"

# Specifications for _arguments.
{
    echo "#compdef $name"
    echo "# Completion of $name for zsh, made from $name --list-options."
    cat "$parts/completion.zsh"
    awk -F '\t' -v name="$name" '
        function quote(text) { gsub(/\047/, "\047\\\047\047", text); return "\047" text "\047" }
        function escape(text) { gsub(/\\|\[|\]|:/, "\\\\&", text); return text }
        # The first sentence or clause of the help.
        function shorten(text) { sub(/(; |[.] | \(default).*/, "", text); return escape(text) }
        function value(title, words, files) {
            if (words == "-") words = ""
            if (files == "-") files = ""
            gsub(/:/, "\\:", words)
            return ":" escape(title) ":" (words files == "" ? " " : "{_volpt_value \"" words "\" \"" files "\"}")
        }
        function values(  titles) {
            if ($4 == 0) return ""
            if ($4 == 1) return value($6, $7, $8)
            split($6, titles, " ")
            return value(titles[1], $7, "-") value(titles[2], "-", $8)
        }
        # A task of the program is a word of its first argument.
        $1 == "command" { names = names " " $2; commands = commands " " $2 "\\:" quote_in(shorten($9)) }
        function quote_in(text) { gsub(/["$`\\]/, "\\\\&", text); return "\"" text "\"" }
        $1 == "argument" {
            ++arguments
            specs[++count] = quote((($5 == "repeats") ? "*" : arguments) value($6, $7, $8))
        }
        $1 == "option" {
            help = "[" shorten($9) "]"
            many = $5 == "repeats" ? "*" : ""
            long = "--" $2 ($4 ? "=" : "")
            if ($3 == "-") specs[++count] = quote(many long help values())
            else specs[++count] = quote(many ? many : "(-" $3 " --" $2 ")") "{-" $3 ($4 ? "+" : "") "," long "}" quote(help values())
        }
        END {
            if (arguments) commands = ""
            if (commands) print "local volpt_commands=\"" substr(names, 2) "\""
            printf "_arguments -s -S"
            if (commands) printf " -A \"-*\" \\\n    %s \\\n    %s", quote("1:command:((" substr(commands, 2) "))"), quote("*::argument:_volpt_argument")
            for (i = 1; i <= count; ++i) printf " \\\n    %s", specs[i]
            print ""
        }' "$list" >"$zsh_file.arguments"
    if [ "$name" = volpt ]; then cat "$parts/completion_volpt.zsh"; fi
    cat "$zsh_file.arguments"
} >"$zsh_file.partial"
rm "$list" "$zsh_file.arguments"
mv "$bash_file.partial" "$bash_file"
mv "$zsh_file.partial" "$zsh_file"
