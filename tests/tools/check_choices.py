# Checks that the words that --list-options offers for a value are those that the option takes: check_choices.py PROGRAM..
#
# Each option is given a word that none knows, and all that its error lists must be offered; then each word that is offered, and no error
# may name it.
import json
import re
import subprocess
import sys

# What has to be there for an option to be read at all.
COMPANIONS = {
    "volprep": ["in.raw", "-o", "out.vpk"],
    "volrender": ["in.vpk"],
    "volcompare": ["a.exr", "b.exr", "--statistical"],
    "volmerge": ["a.vpf", "-o", "out.vpf"],
    "volinfo": ["in.vpk", "--slice", "0", "out.png"],
}


def run(tool, *words):
    return subprocess.run([tool, *words], capture_output=True, text=True, check=False)


listed_options = taken_words = 0
for tool in sys.argv[1:]:
    for option in json.loads(run(tool, "--list-options", "--json").stdout)["options"]:
        if not option["words"] or option["values"] != 1:
            continue
        name = f"--{option['name']}"
        message = run(tool, *COMPANIONS[tool], f"{name}=no_such_word").stderr
        listed = re.search(r"\b(?:one of|are) ([^;()]*);", message)
        if listed and "'no_such_word'" in message:
            listed_options += 1
            missing = set(re.split(r",? +", listed[1].strip())) - {word.rstrip(":") for word in option["words"]}
            if missing:
                sys.exit(f"{tool} {name}: {sorted(missing)} are taken, and not offered: {message}")
        if option["value"].startswith("'"):
            continue  # the first of several words in quotes
        for word in option["words"]:
            answer = run(tool, *COMPANIONS[tool], f"{name}={word}")
            taken_words += 1
            if not word.endswith(":") and answer.returncode == 2 and f"'{word}'" in answer.stderr:
                sys.exit(f"{tool} {name}: {word} is offered, and not taken: {answer.stderr}")
print(f"{listed_options} options list their words, {taken_words} words are taken")
