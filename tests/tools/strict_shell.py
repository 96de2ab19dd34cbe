#!/usr/bin/env python3
"""Refuses shell text in which a failure would go unseen; run_line.sh asks before it runs a test.

Standard input is the text, which runs under `set -euo pipefail`; standard output the text again, with `: >"$VOLPT_LAST"` before its
last command. Exit status 1 and a reason where `set -e` would not see a failure:
    A && B                  a failing A is passed over: write A; B
    A || B                  unless B keeps the status, tests it, or ends the test: NAME=$?, test $? = 3, exit 1, { cat log; exit 1; }
    { A; B; } || C, f || C  inside braces, parentheses and functions on the left of || (and in conditions) set -e does nothing
    ! A                     never ends a test: write expect_status 1 A
    if A; B; then           B alone decides
    local x=$(A), wait      the status of A is lost; wait PID returns the status of that process
    test -n $x              is true where x is empty: test -n "$x"
    # any comment           but '# grep: text' behind a line: a misspelt one would check nothing
"""
import re
import sys

OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "(", ")", "\n")
LOST_STATUS = {"local", "export", "declare", "readonly", "typeset"}


class Refused(Exception):
    pass


def end_of_quotes(text, at):
    """The position behind the quoted or substituted part that begins at `at`, and the shell texts that it runs."""
    runs = []
    if text[at] == "'":
        return text.index("'", at + 1) + 1, runs
    if text.startswith("$'", at):
        at += 2
        while text[at] != "'":
            at += 2 if text[at] == "\\" else 1
        return at + 1, runs
    if text[at] == '"':
        at += 1
        while text[at] != '"':
            if text[at] == "\\":
                at += 2
            elif text[at] == "`" or text.startswith(("$(", "${"), at):
                at, more = end_of_quotes(text, at)
                runs += more
            else:
                at += 1
        return at + 1, runs
    if text[at] == "`":
        end = text.index("`", at + 1)
        return end + 1, [text[at + 1 : end]]
    if text.startswith("$((", at):
        return text.index("))", at) + 2, runs
    closing = "}" if text.startswith("${", at) else ")"
    begin = at = at + 2
    depth = 1
    while depth:
        if text[at] == "\\":
            at += 2
        elif text[at] in "'\"`" or text.startswith(("$(", "${", "$'"), at):
            at, more = end_of_quotes(text, at)
            runs += more if closing == "}" else []
        else:
            depth += {"(": closing == ")", "{": closing == "}", closing: -1}.get(text[at], 0)
            at += 1
    return at, runs if closing == "}" else [text[begin : at - 1]]


def split_tokens(text):
    """Words and operators as (word, position), and the texts of command substitutions; reads here-documents over."""
    tokens, runs, documents, at = [], [], [], 0
    while at < len(text):
        if text[at] in " \t" or text.startswith("\\\n", at):
            at += 1 if text[at] in " \t" else 2
            continue
        if text[at] == "#":
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            tokens.append((text[at:end], at))
            at = end
            continue
        operator = next((o for o in OPERATORS if text.startswith(o, at)), None)
        if operator:
            tokens.append((operator, at))
            at += len(operator)
            if operator == "\n":
                for name in documents:
                    at = re.compile(rf"^{re.escape(name)}$\n?", re.M).search(text, at).end()
                documents = []
            continue
        document = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?").match(text, at)
        if document and not text.startswith("<<<", at):
            documents.append(document[1])
            tokens.append((document[0], at))
            at = document.end()
            continue
        begin = at
        while at < len(text) and (text[at] not in " \t\n;|&()"):
            if text[at] == "\\":
                at += 2
            elif text[at] in "'\"`" or text.startswith(("$(", "${", "$'"), at) or text.startswith(("<(", ">("), at):
                at, more = end_of_quotes(text, at)
                runs += more
            elif text[at] in "<>" and text[at + 1 : at + 2] == "&":
                at += 2
            elif text[at] == "=" and text[at + 1 : at + 2] == "(":
                at = text.index(")", at) + 1
            elif text.startswith("&>", at):
                at += 2
            else:
                at += 1
        tokens.append((text[begin:at], begin))
    return tokens, runs


class Parser:
    """Reads a list of commands once. `conditional`: it decides an if or a loop, so that its failures are meant."""

    def __init__(self, text, functions=(), is_line=False):
        self.text, self.is_line, self.at = text, is_line, 0
        self.tokens, self.runs = split_tokens(text)
        words = [word for word, _ in self.tokens] + ["", ""]
        self.functions = {"expect_status", *functions, *(w for i, w in enumerate(words[:-2]) if words[i + 1 : i + 3] == ["(", ")"])}

    def peek(self):
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    def position(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)

    def refuse(self, position, reason):
        part = self.text[max(0, position - 50) : position + 70].replace("\n", " ")
        raise Refused(f"refused: {reason}\n    in: .. {part} ..")

    def take(self, word):
        if self.peek() != word:
            self.refuse(self.position(), f"'{word}' is missing here")
        self.at += 1

    def skip_breaks(self, breaks=(";", "&", "\n")):
        while self.peek() in breaks or (self.peek() or "").startswith("#"):
            word, position = self.tokens[self.at]
            if self.is_line and word.startswith("#") and not re.match(r"# grep: \S", word):
                self.refuse(position, "a comment that is no '# grep: text'")
            self.at += 1

    def parse_list(self, ends, conditional=False):
        """The positions (begin, end) of the commands up to one of `ends`, which is taken."""
        spans = []
        self.skip_breaks()
        while self.peek() not in ends:
            begin = self.position()
            if conditional and spans:
                self.refuse(begin, "the last command of a condition alone decides")
            spans.append((begin, self.parse_and_or(conditional)))
            self.skip_breaks()
        self.at += 1
        return spans

    def parse_and_or(self, conditional):
        left = self.parse_pipeline(conditional)
        while self.peek() in ("&&", "||"):
            operator, position = self.tokens[self.at]
            self.at += 1
            self.skip_breaks("\n")
            begin = self.position()
            if not conditional and operator == "&&":
                self.refuse(position, "a failure on the left of && is passed over: write ';'")
            if not conditional and operator == "||":
                self.check_left(left, position)
            right = self.parse_pipeline(conditional)
            if not conditional and operator == "||":
                self.check_right(right, begin, position)
            left = right
        return self.end()

    def end(self):
        word, position = self.tokens[self.at - 1]
        return position + len(word)

    def check_left(self, left, position):
        if left is None or isinstance(left[0], tuple):
            self.refuse(position, "set -e does nothing inside the braces, parentheses or loop on the left of ||")
        if self.functions & {left[0]}:
            self.refuse(position, f"set -e does nothing inside the function {left[0]} on the left of ||")

    def check_right(self, right, begin, position):
        spans = right if right and isinstance(right[0], tuple) else [(begin, self.end())]
        first, last = (self.text[slice(*spans[i])] for i in (0, -1))
        kept = re.fullmatch(r"(\w+)=\$\?", first)
        if kept and not re.search(rf"\$\{{?{kept[1]}\b", self.text[spans[0][1] :]):
            self.refuse(position, f"nothing reads {kept[1]} after this")
        last = re.sub(r"\s*\d?>&?\S+", "", last)
        if not kept and not re.fullmatch(r"exit( \S+)?|exec .*|return [1-9]|break|continue", last) and not re.match(r"(test|\[) \"?\$\?", last):
            self.refuse(position, "a failure is passed over: let it end the test, or keep its status by || NAME=$?")

    def parse_pipeline(self, conditional):
        """The words of a simple command, the positions of a group's commands, or None for any other."""
        if self.peek() == "!" and not conditional:
            self.refuse(self.position(), "'!' never ends a test under set -e: write expect_status 1 COMMAND")
        if self.peek() in ("!", "time"):
            self.at += 1
        command = self.parse_command(conditional)
        while self.peek() in ("|", "|&"):
            self.at += 1
            self.skip_breaks("\n")
            self.parse_command(conditional)
        return command

    def parse_command(self, conditional):
        word, position = self.peek(), self.position()
        group = None
        if word in ("{", "("):
            self.at += 1
            group = self.parse_list("}" if word == "{" else ")", conditional)
        elif word in ("if", "while", "until"):
            self.parse_condition(word)
        elif word in ("for", "select"):
            while self.peek() != "do":
                self.at += 1
            self.take("do")
            self.parse_list(("done",))
        elif word == "case":
            self.parse_case()
        elif word == "[[":
            while self.peek() != "]]":
                self.at += 1
            self.at += 1
            group = [word]
        elif self.tokens[self.at + 1 : self.at + 3] and [t[0] for t in self.tokens[self.at + 1 : self.at + 3]] == ["(", ")"]:
            self.at += 3
            self.skip_breaks("\n")
            self.parse_command(False)
        else:
            return self.parse_simple(conditional)
        while self.peek() is not None and re.match(r"\d?[<>]", self.peek()):
            self.at += 1 if re.fullmatch(r"\d?(<<<|[<>]>?)", self.peek()) else 0
            self.at += 1
        return group

    def parse_condition(self, word):
        self.at += 1
        self.parse_list(("then",) if word == "if" else ("do",), conditional=True)
        if word != "if":
            self.parse_list(("done",))
            return
        while True:
            self.parse_list(("elif", "else", "fi"))
            word = self.tokens[self.at - 1][0]
            if word == "elif":
                self.parse_list(("then",), conditional=True)
            if word == "fi":
                return

    def parse_case(self):
        while self.peek() != "in":
            self.at += 1
        self.at += 1
        self.skip_breaks("\n")
        while self.peek() != "esac":
            while self.peek() != ")":
                self.at += 1
            self.at += 1
            self.parse_list((";;", "esac"))
            self.skip_breaks("\n")
            if self.tokens[self.at - 1][0] == "esac":
                return
        self.at += 1

    def parse_simple(self, conditional):
        position, words = self.position(), []
        while self.peek() is not None and self.peek() not in OPERATORS and not self.peek().startswith("#"):
            words.append(self.peek())
            self.at += 1
        if not words:
            self.refuse(position, f"a command is missing before '{self.peek()}'")
        while len(words) > 1 and re.match(r"\w+=", words[0]):
            words.pop(0)
        name = words[0]
        if conditional and name in self.functions:
            self.refuse(position, f"set -e does nothing inside the function {name} in a condition")
        if name == "expect_status" and len(words) > 2 and words[2] in self.functions:
            self.refuse(position, f"set -e does nothing inside the function {words[2]} under expect_status")
        if name in LOST_STATUS and any("$(" in word or "`" in word for word in words):
            self.refuse(position, f"{name} loses the status of the command in $(..): assign in a command of its own")
        if words == ["wait"]:
            self.refuse(position, "wait without a process returns 0 whatever ended: wait PID")
        if name in ("test", "[") and len(words) > 2 and words[1] == "-n" and words[2].startswith("$"):
            self.refuse(position, f"{name} -n of an empty word without quotes is true")
        return words

    def parse(self):
        spans = self.parse_list((None,))
        for run in self.runs:
            Parser(run, self.functions).parse()
        return spans


def main():
    text = sys.stdin.buffer.read().decode("latin-1")
    try:
        last = Parser(text, is_line="--line" in sys.argv).parse()[-1][0]
    except Refused as refused:
        sys.exit(str(refused))
    except IndexError:
        sys.exit("refused: the text ends in the middle of a command")
    sys.stdout.buffer.write((text[:last] + ': >"$VOLPT_LAST"; ' + text[last:]).encode("latin-1"))


if __name__ == "__main__":
    main()
