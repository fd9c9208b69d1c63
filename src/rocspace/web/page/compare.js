// A score of the file that is shown, and one of another file with other cases.

import { call } from "./api.js";
import { $, choose, make, table } from "./dom.js";
import { problemBox } from "./results.js";
import { fileOf, fitting, state } from "./state.js";

let asked = null;

export function show() {
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
  const known = !counts.length || counts.some(([value]) => value === alike.positive);
  return known ? alike : { ...alike, positive: null };
}

function showSides() {
  const other = fileOf($("other").value);
  const choice = otherChoice();
  const numbers = other.columns.filter((each) => ["number", "boolean"].includes(each.kind))
    .map((each) => each.name).filter((name) => name !== choice.label);
  $("first-name").textContent = state.file.name;
  $("other-name").textContent = other.name;
  choose($("first-score"), state.choice.scores, $("first-score").value || state.choice.scores[0]);
  const same = numbers.includes($("first-score").value) ? $("first-score").value : choice.scores[0];
  choose($("other-score"), numbers, same);
  $("other-about").textContent = choice.label
    ? `${other.name} is read with label “${choice.label}”, positive value “${choice.positive ?? "not known"}”.`
    : `${other.name}: which column is the label is not known. Show it as the report first and choose.`;
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
  const first = { ...state.choice, by: null, scores: [$("first-score").value].filter(Boolean) };
  const second = { ...otherChoice(), scores: [$("other-score").value].filter(Boolean) };
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
  const rows = found.scores.map((each) => [each.name, each.n_pos, each.n_neg, each.value, each.interval, ""]);
  rows.push([difference.name, "", "", difference.value, difference.interval, difference.pvalue]);
  const heads = ["sample", "positive", "negative", "area", `${difference.level} interval`, "p"];
  const caption = "Areas of independent samples, and their difference";
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
