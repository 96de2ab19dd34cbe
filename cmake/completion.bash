# Completes by a list of options. Its lines are those of --list-options, without the help.

# _volpt_complete TOOL: fills COMPREPLY for the words of COMP_WORDS, by the list in the variable _volpt_list_TOOL.
_volpt_complete() {
    local list=_volpt_list_$1 kind name short values times words files word i
    local cut='' joined='' option='' pending=0 position=1 ended=''
    local -A count=() words_of=() files_of=()
    local -a options=() line=()
    local last_argument=0 last_repeats=''
    COMPREPLY=()
    while IFS=$'\t' read -r kind name short values times _ words files; do
        case $kind in
            command) words_of[argument1]+="$name " files_of[argument1]=- && continue ;;
            argument)
                last_argument=$((last_argument + 1)) last_repeats=$times
                name=argument$last_argument
                ;;
            option) name=--$name && options+=("$name") ;;
            *) continue ;;
        esac
        count[$name]=$values words_of[$name]=$words files_of[$name]=$files
        if [[ $short != - ]]; then count[-$short]=$values words_of[-$short]=$words files_of[-$short]=$files; fi
    done <<<"${!list}"

    # bash splits words at '=' and ':'; `cut` is what of the last word it will not replace.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ ${#line[@]} -gt 0 && ($word =~ ^[=:]+$ || -n $joined) ]]; then
            cut=${line[-1]} joined=''
            line[-1]+=$word
            if [[ $word =~ ^[=:]+$ ]]; then cut+=$word joined=1; fi
        else
            line+=("$word") cut='' joined=''
        fi
    done
    local current=${line[-1]-}
    for ((i = 0; i < ${#line[@]} - 1; i++)); do
        word=${line[i]}
        if [[ $pending -gt 0 ]]; then
            pending=$((pending - 1))
        elif [[ -z $ended && $word == -- ]]; then
            ended=1
        elif [[ -z $ended && -n ${count[$word]-} ]]; then
            option=$word pending=${count[$word]}
        elif [[ -n $ended || $word != -?* ]]; then
            position=$((position + 1))
        fi
    done

    if [[ $pending -gt 0 ]]; then
        words=${words_of[$option]} files=${files_of[$option]}
        # Of two values, the first is a word and the second a file.
        if [[ ${count[$option]} -eq 2 ]]; then
            if [[ $pending -eq 2 ]]; then files=-; else words=-; fi
        fi
        _volpt_offer '' "$current" "$words" "$files"
    elif [[ -z $ended && $current == --*=* ]]; then
        option=${current%%=*}
        if [[ -n ${count[$option]-} ]]; then
            _volpt_offer "$option=" "${current#*=}" "${words_of[$option]}" "${files_of[$option]}"
        fi
    elif [[ -z $ended && $current == -* ]]; then
        _volpt_offer '' "$current" "${options[*]}" -
    else
        if [[ $last_repeats == repeats && $position -gt $last_argument ]]; then position=$last_argument; fi
        _volpt_offer '' "$current" "${words_of[argument$position]--}" "${files_of[argument$position]--}"
    fi
    if [[ ${#COMPREPLY[@]} -gt 0 && -n $cut ]]; then COMPREPLY=("${COMPREPLY[@]#"$cut"}"); fi
}

# _volpt_offer FRONT VALUE WORDS FILES: adds to COMPREPLY, with FRONT before them, the words and files that VALUE begins.
_volpt_offer() {
    local word kind file
    local -a words=() kinds=()
    if [[ $3 != - ]]; then read -ra words <<<"$3"; fi
    if [[ $4 != - ]]; then read -ra kinds <<<"$4"; fi
    for word in "${words[@]}"; do
        if [[ $word == "$2"* ]]; then COMPREPLY+=("$1$word"); fi
    done
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=] ]]; then compopt -o nospace 2>/dev/null || :; fi
    if [[ ${#kinds[@]} -eq 0 ]]; then return; fi
    while IFS= read -r file; do
        COMPREPLY+=("$1$file")
        compopt -o filenames 2>/dev/null || :
    done < <({
        # compgen fails where nothing fits.
        for kind in "${kinds[@]}"; do
            case $kind in
                '*') compgen -f -- "$2" || : ;;
                .*)
                    compgen -f -X "!*$kind" -- "$2" || :
                    compgen -f -X "!*${kind^^}" -- "$2" || :
                    ;;
            esac
        done
        compgen -d -- "$2" || :
    } | sort -u)
}
