
# _volpt_argument: the words after a command are completed as those of its program, "vol" and the command.
_volpt_argument() {
    local tool=vol$words[1]
    if [[ $words[1] == help ]]; then
        if (( CURRENT == 2 )); then _volpt_value "$volpt_commands" ''; fi
    elif (( $+functions[_$tool] )); then
        words[1]=$tool
        service=$tool
        _$tool
    fi
}

