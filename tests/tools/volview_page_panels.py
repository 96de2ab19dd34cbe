# Uses the panels of volview's page as people do: fields, slices, curves, the crop box, patches. Imported by volview_page.py.
"""Each function takes a volview_page.Page that is open in a desktop's window. use_fields, use_slices and use_curves need a tall volume of
densities 0 to 255 without a window, seen with --from; use_probe a probe of a volume of albedos, with a target picture."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

MARGIN_PX = 9  # of curves.js


def is_near(a, b, tolerance=1e-6):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


def open_panel(page, identifier):
    page.page.execute_script("arguments[0].open = true; arguments[0].scrollIntoView({block: 'start'});", page.find(identifier))


def type_into(page, identifier, text):
    page.wait(f"{identifier} is not shown", page.find(identifier).is_displayed)  # some come with the next scene
    page.find(identifier).click()
    ActionChains(page.page).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).send_keys(text, Keys.ENTER).perform()


def wait_for_scene(page, what, is_right):
    """The scene as the server has it, once it is right; a fault if that does not happen."""
    try:
        page.wait("", lambda: (lambda scene: scene and is_right(scene))(page.fetch("/scene.json")))
    except TimeoutError:
        page.expect(False, f"{what}: {page.fetch('/scene.json')}")
    else:
        page.expect(True, what)
    return page.fetch("/scene.json")


def use_denoise(page):
    """The switch, by its key; the line over the picture says what is shown."""
    said = lambda: page.find("picture-kind").text
    page.wait("the page does not say that its picture is denoised", lambda: said().startswith("Picture denoised, of "))
    page.find("display-denoise").send_keys(Keys.SPACE)
    wait_for_scene(page, "denoising off", lambda scene: scene["display"]["denoise"] == "off")
    page.wait("the page says that its picture is denoised still", lambda: said() == "")
    page.find("display-denoise").send_keys(Keys.SPACE)
    wait_for_scene(page, "denoising on", lambda scene: scene["display"]["denoise"] == "on")
    page.wait("the page does not say that its picture is denoised again", lambda: said().startswith("Picture denoised, of "))


def use_fields(page):
    """Display, light, boundary and camera; an edited place leaves the others as shown."""
    type_into(page, "display-exposure", "1.5")
    wait_for_scene(page, "exposure", lambda scene: scene["display"]["exposure"] == 1.5)
    type_into(page, "display-exposure", "0")
    use_denoise(page)
    open_panel(page, "panel-light")
    type_into(page, "option-env", "2")
    wait_for_scene(page, "radiance", lambda scene: scene["options"].get("env") == "2")
    open_panel(page, "panel-boundary")
    Select(page.find("option-boundary")).select_by_value("smooth")
    type_into(page, "option-int-ior", "1.4")
    wait_for_scene(page, "boundary", lambda scene: scene["options"].get("boundary") == "smooth" and scene["options"].get("int-ior") == "1.4")
    type_into(page, "option-int-ior", "-1")
    page.wait("a refused index is not told", page.find("option-int-ior-error").is_displayed)
    page.expect(page.find("option-int-ior").get_property("value") == "1.4", "a refused index stays in its field")
    # Read, so that check_messages does not find the one expected here; the console may have it later than the page.
    refusals = page.wait("the console has no refusal", lambda: [entry["message"] for entry in page.page.get_log("browser")])
    page.expect(len(refusals) == 1 and "/options" in refusals[0] and "400" in refusals[0], f"console: {refusals}")
    open_panel(page, "panel-camera")
    before = page.fetch("/scene.json")
    page.expect("from" in before["options"], f"--from is not in force: {before['options']}")
    target = [before["camera"]["target"][0] + 0.25, *before["camera"]["target"][1:]]
    type_into(page, "option-target", ", ".join(map(str, target)))
    after = wait_for_scene(page, "target", lambda scene: is_near(scene["camera"]["target"], target))
    page.expect("from" not in after["options"], "--from stays in force")
    for name in ("origin", "up"):
        page.expect(is_near(after["camera"][name], before["camera"][name]), f"{name}: {before['camera'][name]} -> {after['camera'][name]}")


def expect_of_slice(page, name):
    image = page.find("slice-image")
    page.wait("no slice", lambda: image.get_property("naturalWidth") > 0)
    page.page.execute_script("arguments[0].scrollIntoView({block: 'center'});", image)
    ActionChains(page.page).move_to_element(image).perform()
    text = page.wait("the slice tells nothing", lambda: (lambda t: "voxel" in t and t)(page.find("slice-material").text))
    page.expect(name in text, f"the slice tells: {text}")


def use_slices(page):
    """A tall slice keeps its proportions, and tells what is under the pointer; one that comes late is not taken for the one chosen meanwhile."""
    open_panel(page, "panel-slices")
    Select(page.find("slice-axis")).select_by_value("y")
    page.wait("no slice across y", lambda: page.find("slice-image").get_property("alt").endswith("across y"))
    page.page.execute_script("""const decode = HTMLImageElement.prototype.decode, choice = document.getElementById("slice-axis");
        HTMLImageElement.prototype.decode = function () { return decode.call(this).finally(() => new Promise((done) => setTimeout(done, 300))); };
        for (const axis of ["z", "x"]) {
            choice.value = axis;
            choice.dispatchEvent(new Event("change"));
        }""")
    size = page.wait("no slice across x", lambda: page.page.execute_script("""const i = document.getElementById("slice-image"), r = i.getBoundingClientRect();
        return i.alt.endsWith("across x") && i.style.maxWidth && [r.width, r.height, i.naturalWidth, i.naturalHeight, innerHeight];"""))
    width, height, columns, rows, window = size
    page.expect(rows > 4 * columns, f"the slice is not tall: {size}")
    page.expect(height <= 0.6 * window + 16 and abs(width / height - columns / rows) < 0.05 * columns / rows, f"the slice is distorted: {size}")
    expect_of_slice(page, "density")


class Histogram:
    """The canvas of the curves; places are shares of its axes, y up."""

    def __init__(self, page):
        self.page, self.canvas = page, page.find("histogram")

    def find_offset(self, x, y):
        width, height = self.page.page.execute_script("return [arguments[0].clientWidth, arguments[0].clientHeight];", self.canvas)
        return round((x - 0.5) * (width - 2 * MARGIN_PX)), round((0.5 - y) * (height - 2 * MARGIN_PX))

    def drag(self, start, *stops):
        actions = ActionChains(self.page.page, duration=20).move_to_element_with_offset(self.canvas, *self.find_offset(*start)).click_and_hold()
        at = self.find_offset(*start)
        for stop in stops:  # as a hand moves, wherever the canvas goes meanwhile
            to = self.find_offset(*stop)
            actions.move_by_offset(to[0] - at[0], to[1] - at[1])
            at = to
        actions.release().perform()

    def shift_when_dragged(self):
        """The panel's content grows above the canvas at the next move of the pointer."""
        self.page.page.execute_script("""arguments[0].addEventListener("pointerdown", () => arguments[0].addEventListener("pointermove", () => {
            const spacer = document.createElement("div"); spacer.style.height = "60px"; arguments[0].before(spacer);
        }, {once: true}), {once: true});""", self.canvas)

    def read(self):
        return self.page.page.execute_script("return arguments[0].toDataURL();", self.canvas)


def read_points(scene):
    text = (scene["preview"] or {}).get("opacity")
    return [tuple(map(float, pair.split(":"))) for pair in text.split(",")] if text else []


def expect_preview(page, is_shown):
    page.wait("the page does not follow the preview", lambda: page.find("save-vpf").get_property("disabled") == is_shown and
              page.find("preview-banner").is_displayed() == is_shown)
    page.expect(not page.find("preview-error").is_displayed(), f"refused: {page.find('preview-error').text}")


def use_curves(page):
    """Points are dragged, taken and added; Save is off meanwhile; what is refused is not left on the canvas."""
    open_panel(page, "panel-transfer")
    histogram = Histogram(page)
    expect_preview(page, False)
    page.expect("255" in page.find("histogram-range").text, f"range: {page.find('histogram-range').text}")
    histogram.shift_when_dragged()
    histogram.drag((1, 1), (1, 0.9), (1, 0.5))
    is_half = lambda scene: (lambda p: len(p) == 2 and p[0] == (0, 0) and p[1][0] == 255 and 115 < p[1][1] < 140)(read_points(scene))
    wait_for_scene(page, "a point dragged to half of the densities", is_half)
    expect_preview(page, True)
    histogram.drag((1.01, 0.1))
    wait_for_scene(page, "a click over a point takes it", lambda scene: (lambda p: len(p) == 2 and 13 < p[1][1] < 38)(read_points(scene)))
    histogram.drag((0.5, 0.8))
    scene = wait_for_scene(page, "a click adds a point", lambda scene: len(read_points(scene)) == 3)
    points = read_points(scene)
    expect_preview(page, True)
    page.wait("the page does not show the added point", lambda: page.find("preview-opacity").get_property("value") == scene["preview"]["opacity"])
    before = histogram.read()
    page.page.execute_script("""window.volview_fetch = window.fetch; window.fetch = (path, options) => path === "/preview" ?
        Promise.resolve(new Response('{"error": "refused here"}', {status: 400})) : window.volview_fetch(path, options);""")
    histogram.drag((0.5, 0.8), (0.5, 0.6), (0.6, 0.4))
    page.wait("a refusal is not told", lambda: "refused here" in page.find("preview-error").text)
    page.wait("a refused curve stays on the canvas", lambda: histogram.read() == before)
    page.page.execute_script("window.fetch = window.volview_fetch;")
    page.expect(read_points(page.fetch("/scene.json")) == points, "a refused curve is in force")
    page.find("preview-end").click()
    wait_for_scene(page, "the end of the preview", lambda scene: scene["preview"] is None)
    expect_preview(page, False)
    type_into(page, "crop-z-from", "4")
    wait_for_scene(page, "a crop box", lambda scene: (lambda p: p and p["crop"][:3] == [0, 0, 4])(scene["preview"]))
    expect_preview(page, True)
    page.find("preview-end").click()
    expect_preview(page, False)


def use_probe(page):
    """A dragged patch is measured beside the target; the split view shows the target, and its divider moves."""
    page.wait_for_samples(4)
    page.find("patch-pick").click()
    page.drag((30, 20), (20, 10))
    cells = page.wait("no patch is measured", lambda: [cell.text for cell in page.page.find_elements(By.CSS_SELECTOR, "#patches tbody td")])
    page.expect(len(cells) == 5 + 3 and all(float(cell.replace("\u2212", "-")) > -200 for cell in cells if cell != "–"), f"patch: {cells}")
    page.expect(cells[4] != "–", "no colour difference from the target")
    shown = page.page.execute_script("return document.getElementById('picture').toDataURL();")
    page.find("split-view").click()
    divider = page.find("split-divider")
    page.wait("no split view", lambda: divider.is_displayed() and page.find("target-side").is_displayed())
    page.expect(page.page.execute_script("return document.getElementById('picture').toDataURL();") != shown, "the split view shows no target")
    divider.send_keys(Keys.ARROW_LEFT)
    page.expect(divider.get_property("value") == "499", "the divider does not move")
    page.expect(page.find("split-view").get_attribute("aria-pressed") == "true", "the split view is not marked")
    open_panel(page, "panel-slices")
    expect_of_slice(page, "albedo")
