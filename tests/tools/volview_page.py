#!/usr/bin/env python3
# Uses the page of a running volview as people do, in headless Chromium: orbits, saves, copies; looks at labels, contrast, messages.
"""volview_page.py SERVER [--check films|controls|panels|probe|all] [--screenshots FOLDER]

SERVER is what volview printed, as for volview_client.py; volrender, volinfo and volcompare are on PATH, and the working folder is that in which
volview was started, so that the copied command finds the volume. `all` is films and controls; panels and probe need the volumes that
volview_page_panels.py names. Needs python3-selenium, chromium and chromium-driver; exit status 77 says
that one of them is missing. Otherwise 0 if the page is as it should be, and 1 if not."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from volview_http import Server

from browser import ActionChains, By, Keys, ScrollOrigin, start_browser
import volview_page_panels as panels

WINDOWS = {"desktop": (1600, 900), "phone": (390, 844)}
FIND_CONTRASTS = (pathlib.Path(__file__).parent / "volview_contrast.js").read_text()


class Page:
    """The page of a volview, its faults collected."""

    def __init__(self, page, server, folder):
        self.page, self.server, self.folder, self.faults, self.checks = page, server, folder, [], 0
        self.origin = f"http://{server.authority}"

    def expect(self, is_right, text):
        self.checks += 1
        if not is_right:
            self.faults.append(text)

    def wait(self, what, find, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = find()
            if found:
                return found
            time.sleep(0.05)
        raise TimeoutError(f"after {seconds} s: {what}")

    def find(self, identifier):
        return self.page.find_element(By.ID, identifier)

    def fetch(self, path):
        return self.page.execute_async_script("const done = arguments[1]; fetch(arguments[0]).then(a => a.json()).then(done, e => done(null));", path)

    def set_window(self, name):
        width, height = WINDOWS[name]
        self.page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": name == "phone"})
        self.page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": name == "phone"})
        time.sleep(0.3)

    def open(self):
        """The first visit, with the token; the address is cleared of it, and scripts do not see it."""
        self.page.get(f"{self.origin}/?token={self.server.token}")
        self.wait("the address still has the token", lambda: self.page.current_url == f"{self.origin}/")
        self.wait("no picture", lambda: self.page.execute_script("return document.readyState") == "complete" and self.read_samples() > 0)
        self.expect(self.server.token not in self.page.page_source, "the page holds the token")
        self.expect(self.server.token not in self.page.execute_script("return document.cookie"), "scripts see the token")
        self.page.refresh()
        self.wait("no picture after a reload", lambda: self.read_samples() > 0 and self.has_picture())
        self.expect(self.page.current_url == f"{self.origin}/", "a reload brings the token back")

    def has_picture(self):
        """Whether the canvas shows more than one colour."""
        return self.page.execute_script("""const c = document.getElementById("picture");
            if (!c || !c.width) return false;
            const d = new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer);
            return d.some(p => p !== d[d.length >> 1]);""")

    def read_samples(self):
        return (self.fetch("/stats.json") or {}).get("samples", 0)

    def read_camera(self):
        return self.fetch("/scene.json")["camera"]

    def wait_for_samples(self, samples):
        self.wait(f"fewer than {samples} samples", lambda: (lambda s: s["samples"] >= samples and not s["reduced"])(self.fetch("/stats.json")))

    def drag(self, *steps):
        actions = ActionChains(self.page, duration=20).move_to_element(self.find("picture")).click_and_hold()
        for dx, dy in steps:
            actions.move_by_offset(dx, dy)
        actions.release().perform()

    def expect_move(self, what, act, is_right):
        before = self.read_camera()
        act()
        try:
            self.wait("", lambda: self.read_camera() != before)
        except TimeoutError:
            self.expect(False, f"{what} does not move the camera")
            return
        time.sleep(0.3)
        after = self.read_camera()
        self.expect(is_right(before, after), f"{what}: {before} -> {after}")


def subtract(a, b):
    return [x - y for x, y in zip(a, b)]


def find_distance(camera):
    return sum(x * x for x in subtract(camera["origin"], camera["target"])) ** 0.5


def keeps_distance(before, after):
    return abs(find_distance(before) / find_distance(after) - 1) < 1e-6 and before["target"] == after["target"]


def use_camera(page):
    """Orbit, pan, zoom, roll, double click, by mouse, keys and touch."""
    picture = page.find("picture")
    first = page.read_camera()
    is_first = lambda camera: all(panels.is_near(camera[name], first[name]) for name in ("origin", "target", "up"))
    key = lambda *keys: lambda: ActionChains(page.page).click(picture).send_keys(*keys).perform()
    page.expect_move("a drag", lambda: page.drag((40, 10), (40, 10), (30, -5)), keeps_distance)
    page.expect_move("an arrow key", key(Keys.ARROW_LEFT), keeps_distance)
    page.expect_move("a drag with shift", lambda: ActionChains(page.page).key_down(Keys.SHIFT).move_to_element(picture).click_and_hold().
                     move_by_offset(30, 20).release().key_up(Keys.SHIFT).perform(),
                     lambda b, a: a["target"] != b["target"] and abs(find_distance(a) / find_distance(b) - 1) < 1e-6)
    is_zoomed = lambda b, a: find_distance(a) < 0.99 * find_distance(b) and panels.is_near(a["target"], b["target"])
    page.expect_move("the wheel", lambda: ActionChains(page.page).scroll_from_origin(ScrollOrigin.from_element(picture), 0, -200).perform(), is_zoomed)
    page.expect_move("the key +", key("+"), is_zoomed)
    page.expect_move("the key [", key("["), lambda b, a: a["up"] != b["up"] and a["origin"] == b["origin"])
    page.expect_move("Home", key(Keys.HOME), lambda b, a: is_first(a))
    page.expect_move("a double click", lambda: ActionChains(page.page).move_to_element(picture).double_click().perform(),
                     lambda b, a: a["target"] != b["target"])


def touch(page):
    """One finger orbits."""
    box = page.page.execute_script("const r = document.getElementById('picture').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2];")

    def move():
        send = lambda kind, x: page.page.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [] if kind == "touchEnd" else [{"x": x, "y": box[1]}]})
        send("touchStart", box[0])
        for step in range(1, 8):
            send("touchMove", box[0] + 8 * step)
        send("touchEnd", 0)
    page.expect_move("a finger", move, keeps_distance)


def save_and_compare(page):
    """The film that the page saves is that of the command that it copies, bit for bit."""
    page.page.execute_cdp_cmd("Browser.grantPermissions", {"origin": page.origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    page.wait_for_samples(64)
    page.find("save-vpf").click()
    film = page.wait("no film was saved", lambda: next(iter(page.folder.glob("*.vpf")), None))
    page.wait("the download does not end", lambda: not list(page.folder.glob("*.crdownload")))
    page.find("copy-command").click()
    copied = page.wait("nothing was copied", lambda: page.page.execute_async_script(
        "const done = arguments[0]; navigator.clipboard.readText().then(done, () => done(''));"))
    info = json.loads(subprocess.run(["volinfo", film, "--json"], check=True, stdout=subprocess.PIPE).stdout)
    page.expect(info["samples"] >= 64, f"the film has {info['samples']} samples")
    rendered = page.folder / "rendered.vpf"
    line = re.sub(r"--spp \d+", f"--spp {info['samples']}", copied.strip())  # the render went on between both clicks
    line = re.sub(r"-o ('[^']*'|\S+)", f"-o {rendered}", line)
    page.expect(line.startswith("volrender ") and "\n" not in line, f"copied: {copied!r}")
    subprocess.run(["bash", "-c", f"{line} -q"], check=True, stdout=subprocess.DEVNULL)
    verdict = subprocess.run(["volcompare", film, rendered], stdout=subprocess.PIPE, text=True)
    print(verdict.stdout)
    page.expect(verdict.returncode == 0, f"the saved film is not that of: {line}")


FIND_CONTROLS = """return [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(e =>
    e.checkVisibility() && !e.disabled && e.tabIndex >= 0 && !(e.type === "radio" && !e.checked));"""

DESCRIBE = "e => e.tagName + (e.id ? '#' + e.id : ' ' + e.outerHTML.slice(0, 100))"


def check_controls(page, window):
    """All controls can be reached by the Tab key, have a name, and show their focus; text has enough contrast; nothing is cut off."""
    if page.find("view-panels").get_attribute("aria-expanded") != "true":
        page.find("view-panels").click()
    page.page.execute_script("for (const d of document.querySelectorAll('details')) d.open = true;")
    time.sleep(0.5)
    controls = page.page.execute_script(FIND_CONTROLS)
    page.expect(len(controls) > 10, f"{window}: {len(controls)} controls only")
    described = page.page.execute_script(f"return arguments[0].map({DESCRIBE});", controls)
    names = {text: control.accessible_name for text, control in zip(described, controls)}
    for control, name in names.items():
        page.expect(name.strip(), f"{window}: {control} has no label")
    page.page.execute_script("document.activeElement.blur(); window.getSelection().removeAllRanges(); window.scrollTo(0, 0); "
                             "document.querySelector('#panels').scrollTop = 0;")
    reached = {}
    for _ in range(3 * len(controls)):
        ActionChains(page.page).send_keys(Keys.TAB).perform()
        name, shows_focus = page.page.execute_script(f"""const e = document.activeElement, s = getComputedStyle(e);
            return [e === document.body ? null : ({DESCRIBE})(e), s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none"];""")
        if name is None:
            continue  # from the last control to the first
        if name in reached:
            break
        reached[name] = shows_focus
    for control in names:
        page.expect(control in reached, f"{window}: the Tab key does not reach {control}")
    for control, shows_focus in reached.items():
        page.expect(shows_focus, f"{window}: {control} does not show that it has the focus")
    contrasts = page.page.execute_script(FIND_CONTRASTS)
    page.expect(len(contrasts) > 20, f"{window}: {len(contrasts)} texts only")
    for text in contrasts:
        page.expect(text["contrast"] >= 4.5, f"{window}: contrast {text['contrast']:.2f} of {text['element']} {text['text']!r}, {text['colours']}")
    print(f"{window}: {len(names)} controls, {len(contrasts)} texts, lowest contrast {min(text['contrast'] for text in contrasts):.2f}")
    wide = page.page.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    page.expect(wide <= 0, f"{window}: the page is {wide} px wider than the window")


def check_messages(page):
    """Neither errors nor violations of the policy; everything came from this server."""
    for entry in page.page.get_log("browser"):
        page.expect(entry["level"] != "SEVERE" and "Content Security Policy" not in entry["message"], f"console: {entry['message']}")
    foreign = page.page.execute_script("return performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(location.origin) && "
                                       "!n.startsWith('data:') && !n.startsWith('blob:'))")
    page.expect(not foreign, f"fetched from elsewhere: {foreign}")


def take_screenshots(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for window in WINDOWS:
        page.set_window(window)
        page.page.refresh()
        page.wait("no picture", page.has_picture)
        page.wait_for_samples(64)
        time.sleep(1)
        page.page.save_screenshot(str(folder / f"volview-{window}.png"))
    page.set_window("desktop")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("--token-file")
    parser.add_argument("--check", choices=("films", "controls", "panels", "probe", "all"), default="all")
    parser.add_argument("--screenshots", type=pathlib.Path, metavar="FOLDER", help="writes pictures of the page at 64 samples or more")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        browser = start_browser(pathlib.Path(name))
        try:
            page = Page(browser, Server(options.server, options.token_file), pathlib.Path(name))
            page.set_window("desktop")
            page.open()
            if options.screenshots:
                take_screenshots(page, options.screenshots)
            if options.check in ("films", "all"):
                use_camera(page)
                save_and_compare(page)
            if options.check in ("controls", "all"):
                for window in WINDOWS:
                    page.set_window(window)
                    check_controls(page, window)
                page.page.refresh()
                page.wait("no picture on a phone", page.has_picture)
                touch(page)
            if options.check == "panels":
                panels.use_fields(page)
                panels.use_slices(page)
                panels.use_curves(page)
            if options.check == "probe":
                panels.use_probe(page)
                check_controls(page, "desktop")
            check_messages(page)
        except TimeoutError as error:
            page.expect(False, str(error))
        finally:
            browser.quit()
    for fault in page.faults:
        print(fault, file=sys.stderr)
    print(f"{page.checks} checks, {len(page.faults)} faults")
    return 1 if page.faults else 0


if __name__ == "__main__":
    sys.exit(main())
