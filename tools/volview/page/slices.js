// Slices through the volume, with the names of its materials.
import {ChoiceField, NumberField, make, print} from "/fields.js";
import {request} from "/net.js";

const $ = (id) => document.getElementById(id);
const kAxes = ["x", "y", "z"];

export class SlicesPanel {
    constructor(session, volume) {
        this.volume = volume;
        this.axis = "z";
        this.index = Math.floor(volume.dims[2] / 2);
        this.image = $("slice-image");
        this.material = $("slice-material");
        this.axisField = new ChoiceField({
            id: "slice-axis", label: "Across", choices: kAxes.map((axis) => [axis, axis]), send: async (text) => this.chooseAxis(text),
        });
        this.axisField.show(this.axis);
        $("slice-fields").append(this.axisField.row);
        this.addIndexField();
        this.image.addEventListener("pointermove", (event) => this.ask(event));
        this.image.addEventListener("pointerdown", (event) => this.ask(event));
        $("slice-legend").append(...volume.materials.map(makeLegendRow));
        $("panel-slices").addEventListener("toggle", () => this.show());
        this.show();
    }

    addIndexField() {
        this.indexField?.row.remove();
        const last = this.volume.dims[kAxes.indexOf(this.axis)] - 1;
        this.indexField = new NumberField({
            id: "slice-index", label: "Slice", min: 0, max: last, step: 1, fallback: this.index,
            send: async (text) => {
                const index = Number(text);
                if (!Number.isInteger(index) || index < 0 || index > last) throw new Error(`Slices are 0 to ${last}.`);
                this.index = index;
                this.show();
            },
        });
        this.indexField.show(String(this.index));
        $("slice-fields").append(this.indexField.row);
    }

    chooseAxis(axis) {
        this.axis = axis;
        this.index = Math.floor(this.volume.dims[kAxes.indexOf(axis)] / 2);
        this.addIndexField();
        this.show();
    }

    /// The newest slice only: a slider asks for many.
    async show() {
        if (!$("panel-slices").open) return;
        this.wanted = `/slice.png?axis=${this.axis}&index=${this.index}`;
        if (this.isLoading) return;
        this.isLoading = true;
        while (this.image.getAttribute("src") !== this.wanted) {
            const {axis, index} = this;
            this.image.src = this.wanted;
            await this.image.decode().then(() => this.fitImage(axis, index), () => {});
        }
        this.isLoading = false;
    }

    /// Small slices are enlarged, with voxels as squares; tall ones are at most 60 % of the window high. Of the slice that has
    /// come: another one may be chosen by then.
    fitImage(axis, index) {
        this.shown = {axis, index};
        const {naturalWidth, naturalHeight} = this.image;
        this.image.style.maxWidth = `calc(60vh * ${naturalWidth / naturalHeight})`;
        this.image.classList.toggle("coarse", naturalWidth < 300);
        this.image.alt = `Slice ${index} across ${axis}`;
    }

    async ask(event) {
        if (!this.shown) return;
        const bounds = this.image.getBoundingClientRect();
        const share = (value, size) => Math.min(0.999999, Math.max(0, value / size));
        const x = share(event.clientX - bounds.left, bounds.width), y = share(event.clientY - bounds.top, bounds.height);
        const {axis, index} = this.shown;
        this.question = `/slice.json?axis=${axis}&index=${index}&x=${x.toFixed(6)}&y=${y.toFixed(6)}`;
        if (this.isAsking) return;
        this.isAsking = true;
        while (this.question) {
            const question = this.question;
            this.question = null;
            this.material.textContent = await request(question).then(describePoint, (error) => error.message);
        }
        this.isAsking = false;
    }
}

/// Of /slice.json: the voxel, and which of material, density and albedo (by band) it says itself.
function describePoint(point) {
    const parts = [];
    if (Array.isArray(point.voxel)) parts.push(`voxel ${point.voxel.join(", ")}`);
    if (point.material !== undefined && point.material !== null) parts.push(String(point.material));
    if (typeof point.density === "number") parts.push(`density ${print(point.density, 4)}`);
    if (Array.isArray(point.albedo)) parts.push(`albedo ${point.albedo.map((value) => print(value, 4)).join(", ")}`);
    return parts.join(" · ") || "nothing";
}

function makeLegendRow(material) {
    const row = make("li", {}, material.name);
    if (material.color) {
        const swatch = make("span", {class: "swatch", "aria-hidden": "true"});
        swatch.style.backgroundColor = Array.isArray(material.color) ? toCss(material.color) : material.color;
        row.prepend(swatch);
    }
    return row;
}

function toCss(color) {
    const isByte = color.some((value) => value > 1);
    return `rgb(${color.map((value) => Math.round(isByte ? value : 255 * value)).join(" ")})`;
}
