// The choice of columns: what was guessed and why, and everything that can be changed.

import { $, choose, make } from "./dom.js";
import { classesOf, columnOf, ofClasses, ofOrder, state } from "./state.js";

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
  showApart();
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

// Subgroups are of two classes.
function showApart() {
  $("by").disabled = ofClasses() || ofOrder();
}

function showPositive() {
  const { file, choice } = state;
  const label = columnOf(choice.label);
  const why = choice.label === file.guess.label ? file.guess.why.positive : label?.why_positive;
  const inOrder = "The class with the smallest scores stands first: each score should rise from class to class.";
  $("positive-why").textContent = ofOrder() ? inOrder : why ?? "";
  if (!label) {
    $("positive").replaceChildren(make("p", { className: "quiet" }, "Choose the label first."));
    return;
  }
  const known = classesOf(choice.label);
  const shown = known.length ? [allClasses(label, known)] : [];
  if (label.counts.length) {
    shown.push(...label.counts.map(([value, n], i) => option({ value, id: `positive-${i}`,
      checked: value === choice.positive, onchange: () => change(one(value, known)) }, value, `${number(n)} rows`)));
  } else {
    const input = make("input", { type: "text", id: "positive-text", value: choice.positive ?? "",
      "aria-label": "Positive value", onchange: () => change(one(input.value || null, known)) });
    shown.push(input);
  }
  if (label.order.length) shown.push(allInOrder(label, known));
  if (ofOrder()) shown.push(orderList(label));
  $("positive").replaceChildren(...shown);
}

// Classes in an order: with scores that should rise from class to class, not a column for each.
function allInOrder(label, known) {
  const { file, choice } = state;
  const own = new Set(known.flatMap(([, columns]) => Object.values(columns)));
  const others = choice.scores.filter((name) => !own.has(name));
  const free = file.columns.filter((each) => each.kind === "number" && !own.has(each.name)
    && ![label.name, choice.weight, choice.cluster].includes(each.name)).map((each) => each.name);
  const scores = others.length || !own.size ? others : free.slice(0, 4);
  const set = { positive: null, order: [...label.order], lower: [], by: null, scores };
  return option({ value: "", id: "positive-order", checked: ofOrder(), onchange: () => change(set) },
    `all ${label.order.length}, in an order`, "scores that rise");
}

function orderList(label) {
  const { order } = state.choice;
  const counts = new Map(label.counts);
  const move = (value, step) => {
    const at = order.indexOf(value);
    const to = at + step;
    if (to < 0 || to >= order.length) return;
    const moved = [...order];
    [moved[at], moved[to]] = [moved[to], moved[at]];
    change({ order: moved });
  };
  const button = (value, step, words, sign) => make("button", { type: "button", className: "plain",
    id: `${words}-${label.order.indexOf(value)}`, "aria-label": `Move ${value} ${words}`,
    "aria-disabled": String(order.indexOf(value) === (step < 0 ? 0 : order.length - 1)),
    onclick: () => move(value, step) }, sign);
  return make("ol", { className: "order", "aria-label": "Order of the classes" }, ...order.map((value) =>
    make("li", {}, make("span", {}, value), make("small", {}, `${number(counts.get(value) ?? 0)} rows`),
      button(value, -1, "up", "↑"), button(value, 1, "down", "↓"))));
}

function option(set, words, about) {
  const input = make("input", { type: "radio", name: "positive", ...set });
  return make("label", { className: "option" }, input, make("span", {}, words), make("small", {}, about));
}

// All classes at once: with the columns that are named after them, in one direction.
function allClasses(label, known) {
  const scores = known.slice(0, 4).flatMap(([, columns]) => Object.values(columns));
  const set = { positive: null, order: [], scores, lower: [], by: null };
  return option({ value: "", id: "positive-all", checked: ofClasses(), onchange: () => change(set) },
    `all ${label.distinct} classes`, "a column for each");
}

// One class against all others: by its own columns, if all classes were looked at.
function one(value, known) {
  const own = known.map(([, columns]) => columns[value]).filter(Boolean);
  const set = { positive: value, order: [] };
  return ofClasses() && own.length ? { ...set, scores: own } : set;
}

function showScores() {
  const { file, choice } = state;
  const several = columnOf(choice.label)?.order.length || classesOf(choice.label).length;
  $("positive-legend").textContent = several
    ? "Classes: all, or one against the others" : "Positive value: what is looked for";
  if (ofClasses()) {
    showClassifiers();
    return;
  }
  $("scores-legend").textContent = "Scores ";
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

// With a column for each class, those of a classifier are ticked together.
function showClassifiers() {
  const { file, choice } = state;
  const known = classesOf(choice.label);
  const columns = (each) => Object.values(each[1]);
  const ticked = known.filter((each) => columns(each).every((name) => choice.scores.includes(name)));
  $("scores-legend").textContent = "Classifiers ";
  $("scores-why").textContent = choice.label === file.guess.label ? file.guess.why.scores : "";
  $("ticked").textContent = `${ticked.length} of ${known.length} ticked`;
  $("unusable").hidden = true;
  $("scores").replaceChildren(...known.map((each, i) => {
    const input = make("input", { type: "checkbox", id: `score-${i}`, checked: ticked.includes(each) });
    input.onchange = () => {
      const wanted = known.filter((other) => other === each ? input.checked : ticked.includes(other));
      change({ scores: wanted.flatMap(columns) });
    };
    return make("div", { className: "score" }, make("label", { className: "check" }, input,
      make("span", {}, each[0]), make("small", {}, columns(each).join(", "))));
  }));
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
    make("option", { value: "higher" }, ofOrder() ? "rises with the order" : "higher values: positive"),
    make("option", { value: "lower" }, ofOrder() ? "falls with the order" : "lower values: positive"));
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
    const [first] = classesOf(name);
    const scores = first ? Object.values(first[1]) : state.choice.scores.filter((each) => each !== name);
    const set = { label: name, positive: first ? null : columnOf(name)?.positive ?? null, order: [], scores };
    change(first ? { ...set, lower: [], by: null } : set);
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
