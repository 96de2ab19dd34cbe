// Labelled inputs: each shows what the server has, sends what the user enters, and tells beside it why that was refused.

export function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name in element && typeof value !== "string") element[name] = value;
        else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
}

/// Number without digits that are noise of the arithmetic.
export function print(value, digits = 6) {
    return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : "";
}

/// A row: label, control, unit, and room for an error. `send(text, moving)` returns a promise.
class Field {
    constructor({id, label, unit, hint, send}) {
        this.id = id;
        this.send = send;
        this.text = "";
        this.control = make("div", {class: "control"});
        this.problem = make("p", {class: "error", id: `${id}-error`, role: "alert", hidden: true});
        this.row = make("div", {class: "field"}, make("label", {for: id}, label), this.control);
        if (hint) this.row.append(make("p", {class: "note", id: `${id}-hint`}, hint));
        this.row.append(this.problem);
        this.describedBy = hint ? `${id}-hint ${id}-error` : `${id}-error`;
        if (unit) this.unit = make("span", {class: "unit", "aria-hidden": "true"}, unit);
    }

    get hasFocus() {
        return this.control.contains(document.activeElement);
    }

    /// What the server has; the user's own unfinished entry stays.
    show(text) {
        this.text = text;
        if (!this.hasFocus || this.isShowable) this.put(text);
    }

    async enter(text, moving = false) {
        if (text === this.text && !moving && !this.isMoving) return;
        this.isMoving = moving;
        this.entered = text;
        try {
            await this.send(text, moving);
            this.text = text;
            this.fail("");
        } catch (error) {
            this.put(this.text);
            this.fail(error.message);
        } finally {
            this.entered = null;
        }
    }

    fail(sentence) {
        this.problem.textContent = sentence;
        this.problem.hidden = !sentence;
    }
}

export class TextField extends Field {
    constructor(options) {
        super(options);
        this.input = make("input", {
            id: options.id, type: "text", placeholder: options.placeholder, spellcheck: "false", autocomplete: "off",
            inputmode: options.isNumber ? "decimal" : null, "aria-describedby": this.describedBy,
        });
        this.control.append(this.input);
        if (this.unit) this.control.append(this.unit);
        this.input.addEventListener("change", () => this.enter(this.input.value.trim()));
        this.input.addEventListener("blur", () => this.put(this.entered ?? this.text));
        this.input.addEventListener("keydown", (event) => {
            if (event.key === "Escape") this.put(this.text);
        });
    }

    put(text) {
        this.input.value = text;
    }
}

/// A slider and the same number as text. `fallback` is where the slider stands while the option is not given.
export class NumberField extends TextField {
    constructor(options) {
        super({...options, isNumber: true});
        this.row.classList.add("with-slider");
        this.fallback = options.fallback;
        this.slider = make("input", {
            id: `${options.id}-slider`, type: "range", min: String(options.min), max: String(options.max),
            step: String(options.step), "aria-label": `${options.label}, slider`,
        });
        this.control.prepend(this.slider);
        this.slider.addEventListener("input", () => {
            this.input.value = this.slider.value;
            this.enter(this.slider.value, true);
        });
        this.slider.addEventListener("change", () => this.enter(this.slider.value));
        this.put("");
    }

    put(text) {
        super.put(text);
        const value = parseFloat(text);
        if (!(this.hasFocus && this.isMoving)) this.slider.value = String(Number.isFinite(value) ? value : this.fallback);
    }
}

/// `choices`: [value, name].
export class ChoiceField extends Field {
    constructor(options) {
        super(options);
        this.isShowable = true;
        this.input = make("select", {id: options.id, "aria-describedby": this.describedBy});
        this.control.append(this.input);
        this.setChoices(options.choices);
        this.input.addEventListener("change", () => this.enter(this.input.value));
    }

    setChoices(choices) {
        this.input.replaceChildren(...choices.map(([value, name]) => make("option", {value}, name)));
        this.put(this.text);
    }

    put(text) {
        this.input.value = text;
    }
}

export class CheckField extends Field {
    constructor(options) {
        super(options);
        this.isShowable = true;
        this.row.classList.add("check");
        this.input = make("input", {id: options.id, type: "checkbox", "aria-describedby": this.describedBy});
        this.control.append(this.input);
        this.input.addEventListener("change", () => this.enter(this.input.checked ? "on" : ""));
    }

    put(text) {
        this.input.checked = text !== "";
    }
}

/// A number per band, as one text with commas.
export class BandsField extends Field {
    constructor(options) {
        super(options);
        this.label = options.label;
        this.placeholder = options.placeholder;
        this.names = [];
        this.inputs = [];
        this.row.classList.add("bands");
    }

    /// Names of the bands; one name alone is a single number for all of them.
    setNames(names) {
        if (names.join() === this.names.join()) return;
        this.names = names;
        this.inputs = names.map((name, index) => make("input", {
            id: index === 0 ? this.id : `${this.id}-${index}`, type: "text", inputmode: "decimal",
            placeholder: this.placeholder, "aria-label": names.length > 1 ? `${this.label}, ${name}` : null,
            "aria-describedby": this.describedBy, autocomplete: "off",
        }));
        this.control.replaceChildren(...this.inputs.map((input, index) =>
            names.length > 1 ? make("span", {class: "band"}, make("span", {"aria-hidden": "true"}, names[index]), input) : input));
        this.inputs.forEach((input) => input.addEventListener("change", () => this.enter(this.collect())));
        this.put(this.text);
    }

    collect() {
        const texts = this.inputs.map((input) => input.value.trim());
        const given = texts.find((text) => text !== "");
        return given === undefined ? "" : texts.map((text) => text || given).join(",");
    }

    put(text) {
        const numbers = text.split(",");
        this.inputs.forEach((input, index) => {
            input.value = numbers[Math.min(index, numbers.length - 1)];
        });
    }
}

/// Names of a scene's bands, or of so many of its light: wavelengths, or R, G, B.
export function nameBands(scene, bands = scene.bands) {
    if (scene.wavelengths?.length === bands) return scene.wavelengths.map((nm) => `${print(nm, 5)} nm`);
    if (bands === 3) return ["R", "G", "B"];
    return Array.from({length: bands}, (_, index) => `band ${index}`);
}
