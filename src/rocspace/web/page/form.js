// The choice of columns: what was guessed and why, and everything that can be changed.

import { $, choose, make } from "./dom.js";
import { columnOf, state } from "./state.js";

let changed = () => {};

export function onChange(told) { changed = told; }

export function change(set) {
  Object.assign(state.choice, set);
  show();
  changed();
}

const number = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");

export function show() {
  const { file, choice } = state;
  const names = file.columns.map((each) => each.name);
  const focused = document.activeElement?.id;
  $("file-about").textContent =
    `${file.name}: ${number(file.rows)} rows, ${number(file.columns.length)} columns`;
  choose($("label"), names, choice.label, "Choose a column");
  $("label-why").textContent = choice.label === file.guess.label ? file.guess.why.label : "";
  showPositive();
  showScores();
  $("missing").checked = choice.missing === "omit";
  const numbers = file.columns.filter((each) => each.kind === "number").map((each) => each.name);
  choose($("weight"), numbers.filter((name) => name !== choice.label), choice.weight, "All count the same");
  choose($("cluster"), names.filter((name) => name !== choice.label), choice.cluster, "Each row stands alone");
  const apart = names.filter((name) => name !== choice.label && !choice.scores.includes(name));
  choose($("by"), apart, choice.by, "All cases together");
  if (file.guess.why.cluster) $("cluster-why").textContent = file.guess.why.cluster;
  $("level").value = String(choice.level);
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

function showPositive() {
  const { file, choice } = state;
  const label = columnOf(choice.label);
  const why = choice.label === file.guess.label ? file.guess.why.positive : label?.why_positive;
  $("positive-why").textContent = why ?? "";
  if (!label) {
    $("positive").replaceChildren(make("p", { className: "quiet" }, "Choose the label first."));
  } else if (label.counts.length) {
    $("positive").replaceChildren(...label.counts.map(([value, n], i) => {
      const input = make("input", { type: "radio", name: "positive", value, id: `positive-${i}`,
        checked: value === choice.positive, onchange: () => change({ positive: value }) });
      return make("label", { className: "option" }, input, make("span", {}, value),
        make("small", {}, `${number(n)} rows`));
    }));
  } else {
    const input = make("input", { type: "text", id: "positive-text", value: choice.positive ?? "",
      "aria-label": "Positive value", onchange: () => change({ positive: input.value || null }) });
    $("positive").replaceChildren(input);
  }
}

function showScores() {
  const { file, choice } = state;
  const others = file.columns.filter((each) => ![choice.label, choice.weight, choice.cluster, choice.by].includes(each.name));
  const usable = others.filter((each) => ["number", "boolean"].includes(each.kind));
  const unusable = others.filter((each) => !usable.includes(each));
  $("scores-why").textContent = choice.label === file.guess.label ? file.guess.why.scores : "";
  $("ticked").textContent = `${choice.scores.length} of ${usable.length} ticked`;
  $("scores").replaceChildren(...usable.map(scoreRow));
  $("unusable").hidden = !unusable.length;
  $("unusable").querySelector("ul").replaceChildren(...unusable.map((each) =>
    make("li", {}, `${each.name}: ${each.note || (each.kind === "text" ? "text" : each.dtype)}`)));
}

function scoreRow(column, i) {
  const { choice } = state;
  const ticked = choice.scores.includes(column.name);
  const input = make("input", { type: "checkbox", id: `score-${i}`, checked: ticked });
  input.onchange = () => {
    const order = state.file.columns.map((each) => each.name);
    const scores = input.checked ? [...choice.scores, column.name]
      : choice.scores.filter((name) => name !== column.name);
    change({ scores: scores.sort((a, b) => order.indexOf(a) - order.indexOf(b)) });
  };
  const about = column.missing ? `${column.span}, ${number(column.missing)} missing` : column.span;
  const row = make("div", { className: "score" }, make("label", { className: "check" }, input,
    make("span", {}, column.name), make("small", {}, about)));
  if (ticked) row.append(direction(column.name, i));
  return row;
}

function direction(name, i) {
  const select = make("select", { id: `direction-${i}`, "aria-label": `Direction of ${name}` },
    make("option", { value: "higher" }, "higher values: positive"),
    make("option", { value: "lower" }, "lower values: positive"));
  select.value = state.choice.lower.includes(name) ? "lower" : "higher";
  select.onchange = () => {
    const lower = state.choice.lower.filter((each) => each !== name);
    change({ lower: select.value === "lower" ? [...lower, name] : lower });
  };
  return select;
}

export function mark(fields) {
  for (const each of document.querySelectorAll("[data-field]")) {
    const wrong = fields.includes(each.dataset.field);
    each.classList.toggle("wrong", wrong);
    each.querySelector("select, input")?.setAttribute("aria-invalid", wrong);
  }
}

export function wire() {
  $("label").onchange = () => {
    const name = $("label").value || null;
    const scores = state.choice.scores.filter((each) => each !== name);
    change({ label: name, positive: columnOf(name)?.positive ?? null, scores });
  };
  $("missing").onchange = () => change({ missing: $("missing").checked ? "omit" : "raise" });
  for (const id of ["weight", "cluster", "by"]) {
    $(id).onchange = () => {
      const name = $(id).value || null;
      change({ [id]: name, scores: state.choice.scores.filter((each) => each !== name) });
    };
  }
  $("level").onchange = () => change({ level: Number($("level").value) });
  $("choices").onsubmit = (event) => event.preventDefault();
}
