#!/usr/bin/env python3
# Points at pixels of a page that `volcompare --html` wrote, in headless Chromium.
"""volcompare_page.py PAGE TEST.pfm REFERENCE.pfm [--screenshot PNG]

The page is of these two pictures of one channel. The line below its pictures has to tell the values of the pixel under the pointer, in every
picture of the page's first section and in the enlarged part. Exit status 77 says that there is no browser (browser.py).
Otherwise 0 if the page is as it should be, and 1 if not."""

import argparse
import pathlib
import struct
import sys
import tempfile

from browser import ActionChains, By, start_browser


def read_pfm(path):
    """Rows of numbers from the top."""
    data = pathlib.Path(path).read_bytes()
    header, size, scale, values = data.split(b"\n", 3)
    width, height = map(int, size.split())
    if header != b"Pf" or float(scale) >= 0:
        sys.exit(f"{path}: not a little-endian PFM of one channel")
    numbers = struct.unpack(f"<{width * height}f", values)
    return [numbers[width * y:width * (y + 1)] for y in reversed(range(height))]


def read_inspector(page, image, x, y):
    """What the page tells of the pixel x,y of an image element, with the pointer in the middle of the pixel."""
    width, height, box_width, box_height = page.execute_script(
        "const i = arguments[0]; i.scrollIntoView({block: 'center', inline: 'center'}); const b = i.getBoundingClientRect();"
        "return [i.naturalWidth, i.naturalHeight, b.width, b.height];", image)
    to_x, to_y = ((x + 0.5) / width - 0.5) * box_width, ((y + 0.5) / height - 0.5) * box_height
    ActionChains(page, duration=20).move_to_element_with_offset(image, round(to_x), round(to_y)).perform()
    return page.find_element(By.CLASS_NAME, "inspector").text


def check(page, rows, references):
    """Faults, and how many pixels were pointed at."""
    height, width = len(rows), len(rows[0])
    faults, checks = [], 0
    for image in page.find_elements(By.CSS_SELECTOR, "section:first-of-type figure > img"):
        first_x, first_y, across, down = page.execute_script(
            "const i = arguments[0]; return [+(i.dataset.x ?? 0), +(i.dataset.y ?? 0), i.naturalWidth, i.naturalHeight];", image)
        if not image.get_attribute("data-x") and (across, down) != (width, height):
            continue
        for x, y in {(0, 0), (across - 1, 0), (across // 2, down // 2), (across - 1, down - 1)}:
            at_x, at_y = first_x + x, first_y + y
            test, reference = rows[at_y][at_x], references[at_y][at_x]
            expected = f"pixel {at_x},{at_y}; test Y {test:.9g}; reference Y {reference:.9g}; difference Y {test - reference:.9g}"
            told = read_inspector(page, image, x, y)
            checks += 1
            if told != expected:
                faults.append(f"{image.get_attribute('alt')}: '{told}', expected '{expected}'")
    return faults, checks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("test")
    parser.add_argument("reference")
    parser.add_argument("--screenshot")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = start_browser(pathlib.Path(folder))
        try:
            page.get(options.page.resolve().as_uri())
            faults, checks = check(page, read_pfm(options.test), read_pfm(options.reference))
            faults += [f"the console: {entry['message']}" for entry in page.get_log("browser")]
            if options.screenshot:
                page.save_screenshot(options.screenshot)
        finally:
            page.quit()
    for fault in faults:
        print(fault)
    print(f"{checks} pixels, {len(faults)} faults")
    return 0 if checks >= 12 and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
