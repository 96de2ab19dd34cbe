// Preview of other curves and of a crop box. Curves are texts X:Y,X:Y,.. as volprep's --opacity and --albedo have them.
import {NumberField, TextField, print} from "/fields.js";
import {CurveEditor} from "/curves.js";
import {NewestWins} from "/net.js";

const $ = (id) => document.getElementById(id);
const kSides = ["x from", "y from", "z from", "x to", "y to", "z to"];

export class TransferPanel {
    constructor(session, volume) {
        this.session = session;
        this.volume = volume;
        this.sender = new NewestWins("/preview");
        this.preview = {opacity: null, albedo: null, crop: null};
        $("transfer-curves").hidden = !volume.histogram;
        this.addCurveFields();
        this.addCrop();
        if (volume.histogram) this.addEditor();
        $("preview-end").addEventListener("click", () => this.send({opacity: null, albedo: null, crop: null}));
        session.onScene((scene) => this.update(scene));
    }

    get curve() {
        return $("curve-albedo").checked ? "albedo" : "opacity";
    }

    addEditor() {
        this.editor = new CurveEditor($("histogram"), this.volume.histogram, (text) => this.send({[this.curve]: text}), () => {
            if (this.sender.isIdle) this.showAll();
        });
        for (const id of ["curve-opacity", "curve-albedo"])
            $(id).addEventListener("change", () => this.showCurves());
        $("panel-transfer").addEventListener("toggle", () => this.editor.draw());
    }

    tellRange() {
        const {histogram, top} = this.editor, values = this.volume.histogram_values ?? "density";
        $("histogram-range").textContent = `To the right ${values} ${print(histogram.from, 4)} to ${print(histogram.to, 4)}, upwards ${this.curve} 0 to ` +
            `${print(top, 4)}; counts as logarithms. Click adds a point, double click removes one.`;
    }

    addCurveFields() {
        this.fields = {};
        const isHidden = !this.volume.histogram;
        for (const [name, label] of [["opacity", "Opacity"], ["albedo", "Albedo"]]) {
            const field = new TextField({
                id: `preview-${name}`, label, placeholder: "as in the file", send: (text) => this.post({[name]: text || null}),
            });
            field.row.hidden = isHidden;
            this.fields[name] = field;
            $("transfer-fields").append(field.row);
        }
    }

    addCrop() {
        this.sides = kSides.map((label, side) => {
            const dim = this.volume.dims[side % 3], edge = side < 3 ? 0 : dim;
            const field = new NumberField({
                id: `crop-${label.replace(" ", "-")}`, label, min: 0, max: dim, step: 1, fallback: edge,
                send: (text) => this.post({crop: this.moveSide(side, text === "" ? edge : Number(text))}),
            });
            $("crop").append(field.row);
            return field;
        });
        this.showCrop();
    }

    /// At least one voxel is left; the whole volume is no crop.
    moveSide(side, value) {
        const dims = this.volume.dims, crop = [...(this.preview.crop ?? [0, 0, 0, ...dims])], axis = side % 3;
        if (!Number.isInteger(value)) throw new Error("The box has whole voxels.");
        crop[side] = side < 3 ? Math.min(value, crop[axis + 3] - 1) : Math.max(value, crop[axis] + 1);
        const isWhole = crop.every((edge, i) => edge === (i < 3 ? 0 : dims[i - 3]));
        return isWhole ? null : crop;
    }

    /// Rejects with the server's sentence.
    async post(changes) {
        this.preview = {...this.preview, ...changes};
        try {
            await this.sender.send(this.preview);
            this.fail("");
            if (this.sender.isIdle && !this.editor?.isDragging) this.showAll();
        } catch (error) {
            this.adopt(this.session.scene.preview);
            throw error;
        }
    }

    send(changes) {
        this.post(changes).catch((error) => {
            this.fail(error.message);
            this.showAll();
        });
    }

    fail(sentence) {
        $("preview-error").textContent = sentence;
        $("preview-error").hidden = !sentence;
    }

    adopt(preview) {
        const {opacity = null, albedo = null, crop = null} = preview ?? {};
        this.preview = {opacity, albedo, crop};
    }

    update(scene) {
        $("preview-end").disabled = !scene.preview;
        $("panel-transfer").classList.toggle("active", Boolean(scene.preview));
        if (!this.sender.isIdle || this.editor?.isDragging) return;
        this.adopt(scene.preview);
        this.showAll();
    }

    showAll() {
        for (const [name, field] of Object.entries(this.fields)) field.show(this.preview[name] ?? "");
        this.showCrop();
        this.showCurves();
    }

    showCrop() {
        const crop = this.preview.crop ?? [0, 0, 0, ...this.volume.dims];
        this.sides.forEach((field, side) => field.show(String(crop[side])));
    }

    showCurves() {
        if (!this.editor) return;
        const other = this.curve === "opacity" ? "albedo" : "opacity";
        this.editor.show(this.curve, this.preview[this.curve], this.preview[other]);
        this.tellRange();
    }
}
