# _volpt_value WORDS FILES: completes one of the words, or a file that ends in one of these; a word that ends in ':' or
# '=' goes on.
_volpt_value() {
    local -a whole open endings
    local expl result=1
    whole=(${${=1}:#*[:=]})
    open=(${(M)${=1}:#*[:=]})
    endings=(${=2})
    if (( $#whole )); then _wanted values expl value compadd -a whole && result=0; fi
    if (( $#open )); then _wanted values expl value compadd -S '' -a open && result=0; fi
    if (( ${endings[(Ie)*]} )); then
        _files && result=0
    elif [[ $2 == / ]]; then
        _files -/ && result=0
    elif (( $#endings )); then
        endings=(${endings:#/})
        _files -g "(#i)*(${(j:|:)endings})(-.)" && result=0
    fi
    return result
}
