# Types a line and the Tab key into an interactive shell, and prints what the line becomes, then what the terminal shows:
# complete_in_shell.py bash|zsh LINE. 77: the shell is missing, or the build has no completion.
import os
import pty
import re
import select
import shutil
import sys
import tempfile
import time

SETUP = {
    "bash": "PS1='$ '; for f in {share}/bash-completion/completions/*; do source $f; done; "
            "keep_line() {{ printf %s \"$READLINE_LINE\" >{result}; }}; bind -x '\"\\C-g\": keep_line'; echo ready > {ready}\n",
    "zsh": "PS1='$ '; fpath=({share}/zsh/site-functions $fpath); autoload -Uz compinit; compinit -D -u; "
           "keep_line() {{ print -rn -- $BUFFER >{result} }}; zle -N keep_line; bindkey '^G' keep_line; echo ready > {ready}\n",
}
COMMANDS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


def read_terminal(terminal, seconds):
    text = b""
    while select.select([terminal], [], [], seconds)[0]:
        try:
            text += os.read(terminal, 65536)
        except OSError:
            break
    return text


def wait_for_file(path, terminal):
    text = b""
    end = time.monotonic() + 30
    while not os.path.exists(path):
        if time.monotonic() > end:
            sys.exit("the shell does not answer: " + text.decode(errors="replace"))
        text += read_terminal(terminal, 0.05)
    return text + read_terminal(terminal, 0.05)


def main():
    shell, line = sys.argv[1:]
    share = os.path.join(os.path.dirname(shutil.which("volrender")), "..", "share")
    if shutil.which(shell) is None:
        print(f"skipped: {shell} is not installed")
        return 77
    if not os.path.exists(os.path.join(share, "zsh/site-functions/_volrender")):
        print("skipped: this build has no completion")
        return 77
    folder = tempfile.mkdtemp()
    ready, result = os.path.join(folder, "ready"), os.path.join(folder, "result")
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update({"TERM": "dumb", "HOME": folder, "COLUMNS": "200", "LINES": "100", "LC_ALL": "C"})
        os.execvp(shell, COMMANDS[shell])
    try:
        os.write(terminal, SETUP[shell].format(share=share, ready=ready, result=result).encode())
        wait_for_file(ready, terminal)
        os.write(terminal, line.encode() + b"\t")
        shown = read_terminal(terminal, 0.5)
        os.write(terminal, b"\x07")
        shown += wait_for_file(result, terminal)
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
    with open(result) as file:
        print(f"line: {file.read()}|")
    print(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\r\x07]", "", shown.decode(errors="replace")))
    shutil.rmtree(folder)
    return 0


sys.exit(main())
