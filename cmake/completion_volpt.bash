# The words after a command are completed as those of its program, "vol" and the command; its list lies beside this file.
_volpt_volpt() {
    local tool=vol${COMP_WORDS[1]-} list
    list=_volpt_list_$tool
    if [[ $COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == help ]]; then
        COMP_WORDS=(volpt "${COMP_WORDS[2]}") COMP_CWORD=1
    elif [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} =~ ^[a-z]+$ && $tool != volpt ]]; then
        if [[ -z ${!list-} && -r ${BASH_SOURCE[0]%/*}/$tool ]]; then
            # shellcheck disable=SC1090
            source "${BASH_SOURCE[0]%/*}/$tool"
        fi
        if [[ -n ${!list-} ]]; then
            COMP_WORDS=("$tool" "${COMP_WORDS[@]:2}") COMP_CWORD=$((COMP_CWORD - 1))
            _volpt_complete "$tool"
            return
        fi
    fi
    _volpt_complete volpt
}
