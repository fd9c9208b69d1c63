// A score of the file that is shown, and one of another file with other cases.

import { call } from "./api.js";
import { $, choose, make, table } from "./dom.js";
import { problemBox } from "./results.js";
import { columnOf, fileOf, fitting, ofClasses, ofOrder, state } from "./state.js";

let asked = null;

// What was compared is of the files and choices before.
export function show() {
  asked?.abort();
  $("compared").replaceChildren();
  const others = state.files.filter((each) => each !== state.file);
  $("other-label").hidden = !others.length;
  $("sides").hidden = !others.length;
  const chosen = $("other").value;
  $("other").replaceChildren(...others.map((each) => make("option", { value: each.id }, each.name)));
  if (others.some((each) => each.id === chosen)) $("other").value = chosen;
  if (others.length) showSides();
}

// The second file is read as the first one, where it has the same columns.
function otherChoice() {
  const other = fileOf($("other").value);
  const alike = fitting(other, state.choice);
  const counts = other.columns.find((each) => each.name === alike.label)?.counts ?? [];
  if (ofOrder()) return { ...alike, order: state.choice.order };
  const known = !counts.length || counts.some(([value]) => value === alike.positive);
  return known ? alike : { ...alike, positive: null };
}

// What can be compared in a file: its scores, or its classifiers with a column for each class.
function columnsIn(file, choice) {
  if (ofClasses()) return columnOf(choice.label, file)?.classes ?? {};
  const numbers = file.columns.filter((each) => ["number", "boolean"].includes(each.kind))
    .map((each) => each.name).filter((name) => name !== choice.label);
  return Object.fromEntries(numbers.map((name) => [name, [name]]));
}

const chosenIn = (file, choice, id) => Object.values(columnsIn(file, choice)[$(id).value] ?? []);

function showSides() {
  const other = fileOf($("other").value);
  const choice = otherChoice();
  const ours = Object.entries(columnsIn(state.file, state.choice))
    .filter(([, columns]) => Object.values(columns).every((name) => state.choice.scores.includes(name)))
    .map(([name]) => name);
  const theirs = Object.keys(columnsIn(other, choice));
  $("first-name").textContent = state.file.name;
  $("other-name").textContent = other.name;
  choose($("first-score"), ours, $("first-score").value || ours[0]);
  const same = theirs.includes($("first-score").value) ? $("first-score").value : choice.scores[0];
  choose($("other-score"), theirs, same);
  $("other-about").textContent = howRead(other, choice, theirs);
}

function howRead(other, choice, theirs) {
  if (!choice.label) return `${other.name}: which column is the label is not known. Show it as the report first and choose.`;
  const read = `${other.name} is read with label “${choice.label}”`;
  if (ofOrder()) return `${read}, in the order ${choice.order.join(" < ")}.`;
  if (!ofClasses()) return `${read}, positive value “${choice.positive ?? "not known"}”.`;
  return theirs.length ? `${read}, all classes.` : `${other.name} has no column of scores for each value of “${choice.label}”.`;
}

export function chooseOther(id) {
  show();
  $("other").value = id;
  showSides();
  $("compare").open = true;
  return compare();
}

async function compare() {
  asked?.abort();
  const mine = asked = new AbortController();
  const alike = otherChoice();
  const first = { ...state.choice, by: null, scores: chosenIn(state.file, state.choice, "first-score") };
  const second = { ...alike, scores: chosenIn(fileOf($("other").value), alike, "other-score") };
  if (ofClasses()) second.positive = null;
  second.lower = state.choice.lower.includes(first.scores[0]) ? second.scores : [];
  second.level = first.level;
  second.by = null;
  const sides = [{ file: state.file.id, choice: first }, { file: $("other").value, choice: second }];
  $("compared").replaceChildren(make("p", { className: "quiet" }, "Comparing."));
  try {
    showCompared(await call("POST", "/api/comparisons", { body: { sides }, signal: mine.signal }));
  } catch (error) {
    if (error.name === "AbortError") return;
    const found = error.problems ?? [{ message: String(error) }];
    // A fix would change the first file, and these are about either.
    $("compared").replaceChildren(...found.map(({ message }) => problemBox({ message })));
  }
}

function showCompared(found) {
  const { difference } = found;
  const sizes = "cases" in found.scores[0] ? ["cases"] : ["n_pos", "n_neg"];
  const rows = found.scores.map((each) => [each.name, ...sizes.map((size) => each[size]), each.value, each.interval, ""]);
  rows.push([difference.name, ...sizes.map(() => ""), difference.value, difference.interval, difference.pvalue]);
  const sized = sizes.length > 1 ? ["positive", "negative"] : sizes;
  const heads = ["sample", ...sized, found.measure, `${difference.level} interval`, "p"];
  const caption = "Independent samples, and their difference";
  $("compared").replaceChildren(
    make("p", { className: "verdict" }, found.verdict), table(caption, heads, rows),
    make("details", {}, make("summary", {}, "The same from the shell and from Python"),
      make("div", { className: "code" }, make("pre", { className: "wrap", tabIndex: 0 }, found.lines.shell)),
      make("div", { className: "code" }, make("pre", { tabIndex: 0 }, found.lines.python))));
}

export function wire() {
  $("other").onchange = showSides;
  $("first-score").onchange = showSides;
  $("compare-now").onclick = compare;
}
