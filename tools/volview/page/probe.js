// Patches of a probe, measured, and the split view against the target.
import {make} from "/fields.js";
import {post} from "/net.js";

const $ = (id) => document.getElementById(id);
const kHalfThumb_px = 20;
const number = (value, digits = 2) => (value === null || value === undefined ? "–" : value.toFixed(digits));

export class ProbePanel {
    constructor(session, view, input) {
        this.session = session;
        this.view = view;
        this.input = input;
        this.results = [];
        $("patch-pick").addEventListener("click", () => this.usePicker(!this.input.patchTool));
        $("patch-clear").addEventListener("click", () => this.clear());
        $("split-view").addEventListener("click", () => this.showSplit(this.view.split === null));
        $("split-divider").addEventListener("input", (event) => this.moveDivider(event.target.value / 1000));
        view.drawn = (rectangle) => this.placeDivider(rectangle);
        session.onScene((scene) => this.update(scene));
    }

    update(scene) {
        $("panel-probe").hidden = scene.can_move && !scene.target;
        $("patch-pick").hidden = $("patch-clear").hidden = $("patch-note").hidden = scene.can_move;
        $("split-view").hidden = !scene.target;
        if (!this.wasShown && !scene.can_move) $("panel-probe").open = true;
        this.wasShown = true;
        if (this.change !== scene.change) this.noteOldPatches();
        this.change = scene.change;
    }

    usePicker(isOn) {
        this.input.patchTool = isOn ? (patch) => this.measure(patch) : null;
        $("patch-pick").setAttribute("aria-pressed", String(isOn));
        $("picture").classList.toggle("picking", isOn);
    }

    clear() {
        this.results = [];
        this.view.patches = [];
        this.view.draw();
        this.showTable();
    }

    /// Colours of another scene are not those of this one.
    noteOldPatches() {
        if (this.results.length === 0) return;
        this.results.forEach((result) => {
            result.isOld = true;
        });
        this.showTable();
    }

    async measure(patch) {
        try {
            const result = await post("/patch", patch);
            this.results.push(result);
            this.view.patches.push(patch);
            this.view.draw();
            this.showTable();
        } catch (error) {
            this.session.tell(error.message);
        }
    }

    showTable() {
        const hasTarget = this.results.some((result) => result.target_lab);
        const titles = ["", "L*", "a*", "b*", "noise", ...(hasTarget ? ["ΔE00"] : [])];
        const table = $("patches");
        table.hidden = this.results.length === 0;
        table.tHead.replaceChildren(make("tr", {}, ...titles.map((title) => make("th", {scope: "col"}, title))));
        table.tBodies[0].replaceChildren(...this.results.flatMap((result, index) => this.makeRows(result, index)));
        $("patch-note").textContent = this.results.some((result) => result.isOld)
            ? "Grey rows were measured before the scene changed." : "Drag a rectangle over the picture.";
    }

    /// The patch, and below it the target's.
    makeRows(result, index) {
        const age = result.isOld ? " old" : "";
        const makeRow = (kind, title, values) => make("tr", {class: kind + age}, make("th", {scope: "row"}, title),
            ...values.map((value) => make("td", {}, number(value))));
        if (!result.target_lab) return [makeRow("film", String(index + 1), [...result.lab, result.noise_de])];
        return [
            makeRow("film", String(index + 1), [...result.lab, result.noise_de, result.de2000]),
            makeRow("target", "target", result.target_lab),
        ];
    }

    async showSplit(isOn) {
        if (isOn && !this.view.target) {
            const image = new Image();
            image.src = "/target.png";
            try {
                await image.decode();
                this.view.target = image;
            } catch {
                return this.session.tell("The target cannot be shown.");
            }
        }
        this.view.split = isOn ? $("split-divider").value / 1000 : null;
        $("split-divider").hidden = $("target-side").hidden = !isOn;
        $("split-view").setAttribute("aria-pressed", String(isOn));
        this.view.draw();
    }

    /// Its middle moves over the film's width, half a thumb beyond on both sides.
    placeDivider({x, w}) {
        const {style} = $("split-divider");
        style.left = `${x - kHalfThumb_px}px`;
        style.width = `${w + 2 * kHalfThumb_px}px`;
    }

    moveDivider(share) {
        this.view.split = share;
        this.view.draw();
    }
}
