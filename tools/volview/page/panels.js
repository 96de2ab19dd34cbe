// Panels whose fields are options of volrender or settings of the display.
import {BandsField, CheckField, ChoiceField, NumberField, TextField, make, nameBands, print} from "/fields.js";

const kAxes = ["+x", "-x", "+y", "-y", "+z", "-z"].map((axis) => [axis, axis]);
const withDefault = (name, choices) => [["", name], ...choices];

/// A panel: fields with the options that they need, shown while the server lets these change.
class Panel {
    /// A probe has its own view and light.
    constructor(id, session, isShown = () => true) {
        this.isShown = isShown;
        this.element = document.getElementById(id);
        this.body = this.element.querySelector(".body");
        this.session = session;
        this.rows = [];
        session.onScene((scene) => this.update(scene));
    }

    /// `read(scene)` gives the text to show; `needs` are the options without which the row is hidden.
    add(field, needs, read, isShown = () => true) {
        this.rows.push({element: field.row, field, needs, read, isShown});
        this.body.append(field.row);
        return field;
    }

    addElement(element, needs, isShown = () => true) {
        this.rows.push({element, needs, isShown});
        this.body.append(element);
    }

    update(scene) {
        for (const row of this.rows) {
            const isThere = row.needs.every((name) => scene.changeable.includes(name)) && row.isShown(scene);
            row.element.hidden = !isThere;
            if (row.field && isThere) row.field.show(row.read(scene));
        }
        this.element.hidden = !this.isShown(scene) || this.rows.every((row) => row.element.hidden);
    }

    /// A field whose text is that of one option; an empty one resets it.
    addOption(Kind, name, options, isShown) {
        const field = new Kind({
            id: `option-${name}`, ...options,
            send: (text, moving) => this.session.setOptions({[name]: text || null}, moving),
        });
        return this.add(field, [name], (scene) => scene.options[name] ?? "", isShown);
    }
}

export function makeDisplayPanel(session) {
    const panel = new Panel("panel-display", session);
    const send = (name, read) => (text) => session.setDisplay({[name]: read(text)});
    panel.add(new NumberField({
        id: "display-exposure", label: "Exposure", unit: "stops", min: -8, max: 8, step: 0.1, fallback: 0,
        send: send("exposure", (text) => {
            const stops = Number(text || 0);
            if (!Number.isFinite(stops)) throw new Error("Exposure is a number of stops.");
            return stops;
        }),
    }), [], (scene) => print(scene.display.exposure, 4));
    panel.add(new CheckField({
        id: "display-denoise", label: "Denoise", hint: "For the eye. Films, ΔE and noise stay those of the samples.",
        send: (text) => session.setDisplay({denoise: text || "off"}),
    }), [], (scene) => (scene.display.denoise === "on" ? "on" : ""));
    panel.add(new ChoiceField({
        id: "display-tone", label: "Tone", choices: [["srgb", "sRGB"], ["filmic", "filmic"], ["linear", "linear"]], send: send("tone", String),
    }), [], (scene) => scene.display.tone);
    panel.add(new ChoiceField({
        id: "display-illuminant", label: "Illuminant", choices: [["D65", "D65"], ["D50", "D50"]], send: send("illuminant", String),
    }), [], (scene) => scene.display.illuminant, (scene) => scene.bands > 1);
    const bands = new ChoiceField({id: "display-band", label: "Band", choices: [], send: send("band", Number)});
    panel.add(bands, [], (scene) => {
        const names = nameBands(scene).map((name, index) => [String(index), name]);
        if (bands.input.length !== names.length + 1) bands.setChoices([["-1", "all, as a colour"], ...names]);
        return String(scene.display.band);
    }, (scene) => scene.bands > 1);
}

function findLightKind(scene) {
    if (scene.options["env-below"]) return "hemispheres";
    const env = scene.options.env;
    if (scene.has_light_image && (env === undefined || env === "image")) return "image";
    return "constant";
}

export function makeLightPanel(session) {
    const panel = new Panel("panel-light", session, (scene) => scene.can_move);
    let isPerBand = false;
    const sendKind = (kind) => session.setOptions({
        constant: {env: findNumbers() || "1", "env-below": null},
        hemispheres: {env: findNumbers() || "1", "env-below": "0.2"},
        image: {env: "image", "env-below": null},
    }[kind], false);
    const findNumbers = () => {
        const env = session.scene.options.env;
        return env && env !== "image" ? env : "";
    };
    const kinds = new ChoiceField({id: "light-kind", label: "Kind", choices: [], send: sendKind});
    panel.add(kinds, ["env"], (scene) => {
        const choices = [["constant", "constant"]];
        if (scene.changeable.includes("env-below")) choices.push(["hemispheres", "hemispheres"]);
        if (scene.has_light_image) choices.push(["image", "image"]);
        if (kinds.input.length !== choices.length) kinds.setChoices(choices);
        return findLightKind(scene);
    });
    const isConstant = (scene) => findLightKind(scene) !== "image";
    const perBand = new CheckField({id: "light-per-band", label: "One radiance per band", send: async (text) => {
        isPerBand = text !== "";
        panel.update(session.scene);
    }});
    panel.add(perBand, ["env"], () => (isPerBand ? "on" : ""), (scene) => isConstant(scene) && scene.light_bands > 1);
    const addRadiance = (name, label, isShown) => {
        const field = panel.addOption(BandsField, name, {label, placeholder: "1"}, isShown);
        panel.rows.at(-1).read = (scene) => {
            const text = scene.options[name] ?? "";
            if (text.includes(",")) isPerBand = true;
            field.setNames(isPerBand ? nameBands(scene, scene.light_bands) : ["all"]);
            return text === "image" ? "" : text;
        };
    };
    // The check box is set by what the fields have.
    addRadiance("env", "Radiance", isConstant);
    addRadiance("env-below", "Below", (scene) => findLightKind(scene) === "hemispheres");
    panel.addOption(ChoiceField, "env-up", {label: "Up axis", choices: withDefault("default (+y)", kAxes)},
        (scene) => findLightKind(scene) !== "constant");
    panel.addOption(NumberField, "env-rotate", {label: "Rotation", unit: "°", min: -180, max: 180, step: 1, fallback: 0},
        (scene) => findLightKind(scene) !== "constant");
    panel.addOption(CheckField, "transparent", {label: "Hide the background"});
}

export function makeBoundaryPanel(session) {
    const panel = new Panel("panel-boundary", session);
    const kind = (scene) => scene.options.boundary ?? "";
    panel.add(new ChoiceField({
        id: "option-boundary", label: "Faces",
        choices: withDefault("as the volume has them", [["none", "none: index-matched"], ["smooth", "smooth"], ["rough", "rough (GGX)"]]),
        send: (text) => session.setOptions(chooseBoundary(session.scene, text), false),
    }), ["boundary"], kind);
    const hasFaces = (scene) => kind(scene) !== "none";
    const ior = {min: 1, max: 2.5, step: 0.01};
    panel.addOption(NumberField, "int-ior", {label: "Index inside", ...ior, fallback: 1.5, placeholder: "1.5"}, hasFaces);
    panel.addOption(NumberField, "ext-ior", {label: "Index outside", ...ior, fallback: 1, placeholder: "1"}, hasFaces);
    const share = {min: 0, max: 1, step: 0.01};
    panel.addOption(NumberField, "alpha", {label: "Roughness α", ...share, fallback: 0.1, placeholder: "0.1"},
        (scene) => hasFaces(scene) && kind(scene) !== "smooth");
    panel.addOption(NumberField, "support-alpha", {label: "α under support", ...share, fallback: 0.3, placeholder: "0.3"}, hasFaces);
    panel.addOption(ChoiceField, "microfacets", {
        label: "Facets", choices: withDefault("default", [["multiple", "multiple scattering"], ["single", "single scattering"]]),
    }, (scene) => kind(scene) === "rough");
}

/// A kind, without the options that contradict it.
function chooseBoundary(scene, kind) {
    const contradicting = {
        none: ["int-ior", "ext-ior", "alpha", "support-alpha", "microfacets"], smooth: ["alpha", "microfacets"], rough: [], "": ["microfacets"],
    }[kind];
    const set = {boundary: kind || null};
    for (const name of contradicting) if (name in scene.options) set[name] = null;
    return set;
}

export function makeMediumPanel(session) {
    const panel = new Panel("panel-medium", session);
    panel.addOption(NumberField, "g", {
        label: "Anisotropy g", min: -0.99, max: 0.99, step: 0.01, fallback: 0, placeholder: "own", hint: "Empty: the volume's own.",
    });
    panel.addOption(TextField, "scale", {
        label: "Scale", unit: "1/mm", isNumber: true, placeholder: "own", hint: "Extinction at density 1. Empty: the volume's own.",
    });
    const factors = [["÷ 2", 0.5], ["× 2", 2]].map(([name, factor]) => {
        const button = make("button", {type: "button", "aria-label": factor < 1 ? "Halve the scale" : "Double the scale"}, name);
        button.addEventListener("click", () => {
            const scale = Number(session.scene.options.scale);
            if (scale > 0) session.setOptions({scale: print(scale * factor)}, false).catch((error) => session.tell(error.message));
        });
        return button;
    });
    panel.addElement(make("div", {class: "buttons"}, ...factors), ["scale"], (scene) => Number(scene.options.scale) > 0);
}

const kViews = [["front", "-y"], ["right", "+x"], ["above", "+z"], ["back", "+y"], ["left", "-x"], ["below", "-z"]];

export function makeCameraPanel(session, mover) {
    const panel = new Panel("panel-camera", session);
    const canMove = (scene) => scene.can_move;
    const buttons = kViews.map(([name, from]) => {
        const button = make("button", {type: "button", id: `from-${name}`}, name);
        button.addEventListener("click", () => mover.showFrom(from));
        return button;
    });
    panel.addElement(make("div", {class: "buttons six", role: "group", "aria-label": "Views of the whole volume"}, ...buttons),
        ["from"], canMove);
    const isOrtho = (scene) => scene.camera.ortho_width_mm !== undefined;
    panel.add(new ChoiceField({
        id: "camera-kind", label: "Projection", choices: [["perspective", "perspective"], ["orthographic", "orthographic"]],
        send: (kind) => mover.changeKind(kind),
    }), ["fov", "ortho"], (scene) => (isOrtho(scene) ? "orthographic" : "perspective"), canMove);
    panel.add(new NumberField({
        id: "option-fov", label: "Field of view", unit: "°", min: 1, max: 120, step: 1, fallback: 30,
        send: (text, moving) => session.setOptions({fov: text || null}, moving),
    }), ["fov"], (scene) => print(scene.camera.fov_deg), (scene) => canMove(scene) && !isOrtho(scene));
    panel.add(new TextField({
        id: "option-ortho", label: "Width", unit: "mm", isNumber: true,
        send: (text, moving) => session.setOptions({ortho: text || null}, moving),
    }), ["ortho"], (scene) => print(scene.camera.ortho_width_mm), (scene) => canMove(scene) && isOrtho(scene));
    panel.addOption(TextField, "resolution", {label: "Resolution", unit: "px", placeholder: "512x512"});
    const fit = make("button", {type: "button", id: "fit-window"}, "Resolution of the window");
    fit.addEventListener("click", () => session.setOptions({resolution: mover.view.describeStage()}, false)
        .catch((error) => session.tell(error.message)));
    panel.addElement(make("div", {class: "buttons"}, fit), ["resolution"], canMove);
    panel.addOption(TextField, "dpi", {label: "Texels per inch", placeholder: "one per voxel"}, (scene) => !scene.can_move);
    panel.addOption(TextField, "lens", {
        label: "Lens", placeholder: "pinhole", hint: "Radius, or radius and focus: 2mm,150mm. Without focus, the centre of the orbit is sharp.",
    }, (scene) => canMove(scene) && !isOrtho(scene));
    // All three: those that are not sent would be the default's, not what the fields show.
    const spellPlaces = ({camera}) => ({origin: camera.origin.join(","), target: camera.target.join(","), up: camera.up.join(",")});
    for (const name of ["origin", "target", "up"])
        panel.add(new TextField({
            id: `option-${name}`, label: name[0].toUpperCase() + name.slice(1), unit: name === "up" ? "" : "mm",
            send: (text) => session.setOptions({from: null, ...spellPlaces(session.scene), [name]: text || null}, false),
        }), [name], (scene) => scene.camera[name].map((x) => print(x)).join(", "), canMove);
    const copy = make("button", {type: "button", id: "copy-camera"}, "Copy numbers");
    copy.addEventListener("click", () => session.copy(describeCamera(session.scene), copy));
    panel.addElement(make("div", {class: "buttons"}, copy), [], canMove);
}

function describeCamera({camera}) {
    const lens = camera.ortho_width_mm === undefined ? `--fov ${camera.fov_deg}` : `--ortho ${camera.ortho_width_mm}mm`;
    return `--origin ${camera.origin} --target ${camera.target} --up ${camera.up} ${lens}`;
}

export function makeGroundPanel(session) {
    const panel = new Panel("panel-ground", session, (scene) => scene.can_move);
    const parts = (scene) => (scene.options.ground ?? "none").split(":");
    const put = (index, fallback) => (text) => {
        const now = parts(session.scene);
        now[index] = text || fallback;
        return session.setOptions({ground: now.filter((part) => part !== "").join(":")}, false);
    };
    const sendKind = (kind) => {
        const set = {ground: {none: null, diffuse: "diffuse:0.5", checker: "checker:0.2:0.6"}[kind]};
        if (kind === "none" && "ground-up" in session.scene.options) set["ground-up"] = null;
        return session.setOptions(set, false);
    };
    panel.add(new ChoiceField({
        id: "option-ground", label: "Ground", choices: [["none", "none"], ["diffuse", "diffuse"], ["checker", "squares"]], send: sendKind,
    }), ["ground"], (scene) => parts(scene)[0]);
    const isThere = (scene) => parts(scene)[0] !== "none", hasSquares = (scene) => parts(scene)[0] === "checker";
    const addPart = (id, label, index, fallback, isShown, placeholder) => panel.add(
        new TextField({id, label, placeholder, send: put(index, fallback)}), ["ground"], (scene) => parts(scene)[index] ?? "", isShown);
    addPart("ground-albedo", "Albedo", 1, "0.5", isThere);
    addPart("ground-other", "Other albedo", 2, "0.6", hasSquares);
    addPart("ground-side", "Side", 3, "", hasSquares, "10mm");
    panel.addOption(ChoiceField, "ground-up", {label: "Up axis", choices: withDefault("default (+z)", kAxes)}, isThere);
}
