#!/usr/bin/env python3
# Prints what failing tests said: print_failures.py REPORT.xml.. (JUnit files), the end of each output, of ten tests at most.
import sys
import xml.etree.ElementTree as ElementTree

TESTS, LINES = 10, 25


def find_failures(path):
    try:
        report = ElementTree.parse(path)
    except (OSError, ElementTree.ParseError) as error:
        yield path, f"no report: {error}"
        return
    for case in report.iter("testcase"):
        said = [part.text or "" for part in case if part.tag in ("failure", "error", "system-out")]
        if any(part.tag in ("failure", "error") for part in case):
            yield case.get("name"), "\n".join(said).strip()


def main():
    failures = [failure for path in sys.argv[1:] for failure in find_failures(path)]
    for name, said in failures[:TESTS]:
        lines = said.splitlines()
        print(f"--- {name}, the last of {len(lines)} lines:", *lines[-LINES:], sep="\n")
    if len(failures) > TESTS:
        print(f"--- and {len(failures) - TESTS} more")


if __name__ == "__main__":
    main()
