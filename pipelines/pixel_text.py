# Words in pictures made by Python's standard library: the strokes of stb_easy_font, read from the distribution's header.
"""text_boxes(text, x, y, size): boxes (x, y, width, height) that draw it from the upper left corner; text_width(text, size).

Without the header (Debian package libstb-dev, which building volpt needs) there are no boxes, and has_font() is false."""

import functools
import pathlib
import re

HEADERS = ("/usr/include/stb/stb_easy_font.h", "/usr/local/include/stb/stb_easy_font.h")


@functools.cache
def read_font():
    """(advance, first level stroke, first upright stroke) of each letter from space on, level strokes, upright strokes."""
    for header in HEADERS:
        if not pathlib.Path(header).is_file():
            continue
        text = pathlib.Path(header).read_text(encoding="utf-8", errors="replace")
        tables = [re.search(rf"{name}\[\d+\]\s*=\s*\{{(.*?)\}};", text, re.DOTALL)
                  for name in ("stb_easy_font_charinfo", "stb_easy_font_hseg", "stb_easy_font_vseg")]
        if all(tables):
            letters, level, upright = ([int(number) for number in re.findall(r"\d+", table.group(1))] for table in tables)
            return [tuple(letters[i:i + 3]) for i in range(0, len(letters), 3)], level, upright
    return None


def has_font():
    return read_font() is not None


def letters_of(text):
    """The table's entry of each letter and that of the one after it in the alphabet, where its strokes end."""
    letters = read_font()[0]
    for letter in text:
        place = ord(letter) - 32 if 32 <= ord(letter) < 127 else ord("?") - 32
        yield letters[place], letters[place + 1]


def text_width(text, size=2):
    return size * sum(letter[0] & 15 for letter, _ in letters_of(text)) if has_font() else 0


def text_boxes(text, x, y, size=2):
    if not has_font():
        return []
    boxes, level, upright = [], *read_font()[1:]
    for letter, following in letters_of(text):
        top = 1 if letter[0] & 16 else 0
        for strokes, first, end, is_level in ((level, letter[1], following[1], True), (upright, letter[2], following[2], False)):
            left = 0
            for stroke in strokes[first:end]:
                left += stroke >> 3 & 1
                length = stroke & 7
                if length:
                    boxes.append((x + size * left, y + size * (top + (stroke >> 4)), size * (length if is_level else 1),
                                  size * (1 if is_level else length)))
        x += size * (letter[0] & 15)
    return boxes
