// The table of statistics and the line over the picture.
import {make} from "/fields.js";

const kSpace = "\u202f";

/// 1 234 567
export function printCount(value) {
    return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, kSpace);
}

/// Three digits and a prefix: 12.3 M
export function printRate(value, unit) {
    const step = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]].find(([least]) => value >= least) ?? [1, ""];
    return `${Number((value / step[0]).toPrecision(3))} ${step[1]}${unit}`;
}

export function printPercent(value) {
    const percent = 100 * value;
    return `${percent >= 10 ? percent.toFixed(1) : percent.toPrecision(2)} %`;
}

export function printSpan(seconds) {
    if (seconds < 10) return `${seconds.toFixed(1)} s`;
    if (seconds < 60) return `${Math.round(seconds)} s`;
    const whole = Math.round(seconds), pad = (value) => String(value).padStart(2, "0");
    if (whole < 3600) return `${Math.floor(whole / 60)}:${pad(whole % 60)} min`;
    return `${Math.floor(whole / 3600)}:${pad(Math.floor((whole % 3600) / 60))} h`;
}

/// What is unknown stays out of the table.
const given = (value, printValue) => (value === null || value === undefined ? null : printValue(value));
const some = (value) => (value > 0 ? printCount(value) : null);

/// Where only an upper bound is known, it says so.
const printNoise = (stats, digits) =>
    given(stats.de2000_p95, (value) => `${stats.de2000_kind === "at_most" ? "at most " : ""}${value.toPrecision(digits)}`);
const printTimeLeft = (stats) =>
    given(stats.seconds_left, (value) => `${stats.de2000_kind === "at_most" ? "at most " : ""}${printSpan(value)}`);

const kRows = [
    ["samples", "Samples per pixel", (stats) => printCount(stats.samples)],
    ["size", "Size", (stats) => `${stats.width} × ${stats.height}${isReduced(stats) ? ", reduced" : ""}`],
    ["seconds", "Time", (stats) => given(stats.seconds, printSpan)],
    ["paths", "Paths", (stats) => given(stats.paths_per_s, (value) => printRate(value, "/s"))],
    ["extensions", "Extensions", (stats) => given(stats.extensions_per_s, (value) => printRate(value, "/s"))],
    ["error", "Standard error of the picture's mean", (stats) => given(stats.relative_error, printPercent)],
    ["noise", "Noise ΔE00, 95 %", (stats) => printNoise(stats, 3)],
    ["left", "Time left", printTimeLeft],
    ["kernel", "Kernel", (stats) => stats.kernel],
    ["device", "Device", (stats) => stats.device],
    ["cut", "Cut paths", (stats) => some(countOf(stats, "cut_paths"))],
    ["lost", "Lost paths", (stats) => some(countOf(stats, "lost_paths"))],
];

const countOf = (stats, name) => stats.counts?.[name] ?? stats[name] ?? 0;
const isReduced = (stats) => stats.is_reduced ?? stats.reduced;

export class StatisticsPanel {
    constructor() {
        const body = document.querySelector("#statistics tbody");
        this.rows = kRows.map(([name, title, print]) => {
            const cell = make("td", {id: `stat-${name}`});
            const row = make("tr", {}, make("th", {scope: "row"}, title), cell);
            body.append(row);
            return {row, cell, print};
        });
        this.failure = document.getElementById("failure");
        this.summary = document.getElementById("summary");
        this.kind = document.getElementById("picture-kind");
        this.frame = null;
    }

    /// The picture that is shown, which may be of fewer samples than the film.
    noteFrame(frame) {
        this.frame = frame;
        this.tellKind();
    }

    tellKind() {
        const {frame} = this;
        const samples = frame?.samples === 1 ? "1 sample" : `${printCount(frame?.samples ?? 0)} samples`;
        const text = frame?.denoised ? `Picture denoised, of ${samples}` : this.refusal ?? "";
        if (this.kind.textContent !== text) this.kind.textContent = text;
    }

    show(stats) {
        for (const {row, cell, print} of this.rows) {
            const text = print(stats) || null;
            row.hidden = text === null;
            if (text !== null && cell.textContent !== text) cell.textContent = text;
        }
        this.refusal = stats.denoise_refusal;
        this.tellKind();
        this.failure.textContent = stats.failure ?? "";
        this.failure.hidden = !stats.failure;
        this.summary.textContent = [
            stats.samples === 1 ? "1 sample" : `${printCount(stats.samples)} samples`,
            given(printNoise(stats, 2), (text) => `noise ΔE00 ${text}`) ?? given(stats.relative_error, (value) => `mean ±${printPercent(value)}`),
            given(printTimeLeft(stats), (text) => `${text} left`),
        ].filter(Boolean).join(" · ");
    }
}
