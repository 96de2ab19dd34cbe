#!/usr/bin/env python3
"""Breaks assertions of the tools' tests one by one, and tells which tests do not see it. Not a test: some minutes per 10 assertions.

    mutate_tests.py BIN_DIR [--count 40] [--seed 47] [--only REGEX] [--list]

Assertions are taken at random, with a fixed seed, from all .tests files and scripts beside this file:
    # grep: text             another text                       !3 or expect_status 3      another status
    grep -q text file        another text                       test .., [[ .. ]]          test ! .., [[ ! (..) ]]
    cmp a b, diff a b        the last file is /dev/null         assert in python3 -c       assert not (..)
    client .. --status 404   another status                     volcompare a b             an empty file for the last
One line per assertion: the test, what was broken, and seen (the test fails), UNSEEN, or skipped. Exit status 1 if one is unseen.
"""
import argparse
import ast
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import strict_shell

HERE = pathlib.Path(__file__).parent


class Recorder(strict_shell.Parser):
    """Keeps the simple commands that are no conditions, as (words, begin, end)."""

    def __init__(self, text):
        super().__init__(text, is_line=False)
        self.commands = []

    def parse_simple(self, conditional):
        first = self.at
        words = super().parse_simple(conditional)
        skips = re.match(r"\s*\|\|[^\n]*exit 77", self.text[self.end() :])
        if not conditional and not skips:
            self.commands.append([self.tokens[i] for i in range(first, self.at)])
        return words

    def parse_command(self, conditional):
        first = self.at
        group = super().parse_command(conditional)
        if not conditional and self.tokens[first][0] == "[[":
            self.commands.append([self.tokens[first], self.tokens[self.at - 1]])
        return group


def read_tests():
    """(topic.name, form, text) of every test."""
    for path in sorted(HERE.glob("*.tests")):
        joined = re.sub(r"\\\n[ \t]*", "", path.read_text(errors="surrogateescape"))
        for name, text in re.findall(r"^(\w+):[ \t]*(.*)$", joined, re.M):
            yield f"{path.stem}.{name}", "tests", text
    for path in sorted(HERE.glob("*/*.sh")):
        yield f"{path.parent.name}.{path.stem}", "sh", path.read_text(errors="surrogateescape")


def break_python(word, position):
    """Every assert of a python3 -c '..' with its condition negated."""
    if not re.fullmatch(r"'[^']*'", word, re.S):
        return
    code = word[1:-1]
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return
    lines = code.split("\n")
    offset = [sum(len(line.encode()) + 1 for line in lines[:i]) for i in range(len(lines))]
    raw = code.encode()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            begin = offset[node.test.lineno - 1] + node.test.col_offset
            end = offset[node.test.end_lineno - 1] + node.test.end_col_offset
            while raw[begin - 1 : begin] == b"(" and raw[end : end + 1] == b")":
                begin, end = begin - 1, end + 1
            begin, end = len(raw[:begin].decode()), len(raw[:end].decode())
            yield position + 1 + begin, position + 1 + end, f"not ({code[begin:end]})"


def find_mutations(text):
    """(begin, end, replacement) of every assertion of a test."""
    status = re.match(r"!(\d+)\s", text)
    if status:
        yield 1, status.end(1), str(int(status[1]) + 1)
    for match in re.finditer(r"# grep: (\S.*?)(?=\s*# grep: |\s*$)", text, re.M):
        yield match.start(1), match.end(1), "Qz" + match[1]
    shift = status.end() if status else 0
    parser = Recorder(text[shift:])
    parser.parse()
    for tokens in parser.commands:
        tokens = [(word, position + shift) for word, position in tokens]
        words = [word for word, _ in tokens]
        name, files = words[0], [t for t in tokens[1:] if not re.match(r"-|\d?[<>]", t[0])]
        if name == "expect_status":
            yield tokens[1][1], tokens[1][1] + len(words[1]), str(int(words[1]) + 1)
        elif name == "[[":
            yield tokens[0][1], tokens[1][1] + 2, f"[[ ! ({text[tokens[0][1] + 2 : tokens[1][1]]}) ]]"
        elif name == "test":
            yield tokens[0][1], tokens[-1][1] + len(words[-1]), f"test ! {text[tokens[1][1] : tokens[-1][1] + len(words[-1])]}"
        elif name == "grep" and files:
            word, position = tokens[words.index("-e") + 1] if "-e" in words else files[0]
            yield position, position + len(word), f"Qz{word}"
        elif name in ("cmp", "diff", "volcompare") and len(files) > 1 and "--suite" not in words:
            word, position = files[-1]
            yield position, position + len(word), "/dev/null"
        for (option, _), (word, position) in zip(tokens, tokens[1:]):
            if option == "--status" and word.isdigit():
                yield position, position + len(word), str(int(word) + 1)
            if option == "-c" and "python3" in words[0]:
                yield from break_python(word, position)


def run_mutated(name, form, text, bin_dir):
    topic, test = name.split(".", 1)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / (f"{topic}.tests" if form == "tests" else f"{test}.sh")
        path.write_text(f"{test}: {text}\n" if form == "tests" else text, errors="surrogateescape")
        command = ["bash", HERE / "run_line.sh", path, test, bin_dir]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900).returncode


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("bin_dir")
    options.add_argument("--count", type=int, default=40)
    options.add_argument("--seed", type=int, default=47)
    options.add_argument("--only", default="", help="tests whose TOPIC.NAME matches")
    options.add_argument("--list", action="store_true", help="what would be broken, without running it")
    options = options.parse_args()
    found = [(test, m) for test in read_tests() if re.search(options.only, test[0]) for m in find_mutations(test[2])]
    print(f"{len(found)} assertions in {len({test[0] for test, _ in found})} tests", flush=True)
    random.Random(options.seed).shuffle(found)
    tried = unseen = 0
    for (name, form, text), (begin, end, replacement) in found:
        if tried == options.count:
            break
        outcome = ""
        if not options.list:
            status = run_mutated(name, form, text[:begin] + replacement + text[end:], options.bin_dir)
            outcome = {0: "UNSEEN", 77: "skipped"}.get(status, "seen")
        tried += outcome != "skipped"
        unseen += outcome == "UNSEEN"
        print(f"{outcome:8}{name}: {text[begin:end]!r} -> {replacement!r}"[:220], flush=True)
    print(f"{tried} tried, {unseen} unseen")
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    main()
