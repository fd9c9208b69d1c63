// The report of the choices: made anew after each change, with what it says of them.

import { call, Refused, take } from "./api.js";
import { $, make, table } from "./dom.js";
import { change, mark } from "./form.js";
import { state, write } from "./state.js";

let asking = null;
let waiting = 0;
let ticking = 0;
let shown = null;
let ready = "";

export function say(text) { $("status").textContent = text; }

// Say again what was found, after something else was told.
export function settle() { say(ready); }

export function problemBox(problem) {
  const fixes = (problem.fixes ?? []).map((fix) => make("button", { type: "button", className: "plain",
    onclick: () => { change(fix.change); $("choices-title").focus(); } }, fix.words));
  const box = make("div", { className: "problem" }, make("p", {}, problem.message));
  if (fixes.length) box.append(make("div", { className: "fixes" }, ...fixes));
  return box;
}

export function complain(error) {
  if (error.name === "AbortError") return;
  const found = error instanceof Refused ? error.problems : [{ field: "fault", message: String(error) }];
  $("problems").replaceChildren(...found.map(problemBox));
  mark(found.map((each) => each.field));
  say("");
}

export function calm() {
  $("problems").replaceChildren();
  mark([]);
}

export function soon() {
  clearTimeout(waiting);
  $("lines").hidden = true;  // they are those of the choices before
  waiting = setTimeout(run, 350);
}

export async function run() {
  asking?.abort();
  clearTimeout(waiting);
  const mine = asking = new AbortController();
  const { file, choice } = state;
  write();
  busy(true);
  try {
    const found = await call("POST", "/api/reports",
      { body: { file: file.id, choice }, signal: mine.signal });
    if (mine !== asking) return;
    calm();
    show(found);
  } catch (error) {
    if (mine !== asking) return;
    clear();
    complain(error);
  } finally {
    if (mine === asking) busy(false);
  }
}

export function clear() {
  asking?.abort();
  asking = shown = null;
  ready = "";
  busy(false);
  for (const id of ["takes", "report", "lines", "to-report"]) $(id).hidden = true;
  for (const id of ["notes", "clusters"]) $(id).replaceChildren();
  $("report").removeAttribute("src");
  $("result-title").textContent = "Report";
}

function busy(on) {
  $("progress").hidden = !on;
  $("result").classList.toggle("old", on && shown !== null);
  $("lines").hidden = on || shown === null;
  clearInterval(ticking);
  $("elapsed").textContent = "";
  if (!on) return;
  say("Working out the report.");
  const begun = Date.now();
  ticking = setInterval(() => {
    $("elapsed").textContent = `${Math.round((Date.now() - begun) / 1000)} s`;
  }, 1000);
}

function show(found) {
  shown = found;
  const { file } = state;
  $("result-title").textContent = `Report of ${file.name}`;
  ready = found.scores.map((each) => each.error ? `${each.name}: ${each.error}`
    : `${found.area ?? "Area under the curve of"} ${each.name}: ${each.value} (${each.level} interval ${each.interval}).`).join(" ");
  say(ready);
  const notes = (found.outcomes ?? []).map(problemBox);
  notes.push(...found.notes.map((text) => make("div", { className: "note" }, make("p", {}, text))));
  if (found.fixes.length) {
    const below = "An area below 1/2 means that the score ranks the wrong way round. If that is so:";
    notes.push(problemBox({ message: below, fixes: found.fixes }));
  }
  $("notes").replaceChildren(...notes);
  showClusters(found.clusters);
  const base = `/reports/${found.id}`;
  $("take-html").href = `${base}/html`;
  $("take-json").href = `${base}/json`;
  $("open").href = base;
  $("report").src = base;
  $("report").title = `Report of ${file.name}`;
  $("shell").textContent = found.lines.shell;
  $("python").textContent = found.lines.python;
  for (const id of ["takes", "report", "lines", "to-report"]) $(id).hidden = false;
}

function showClusters(found) {
  if (!found) {
    $("clusters").replaceChildren();
    return;
  }
  const caption = `Rows with the same ${found.column} belong together. These intervals allow for that; `
    + "those of the report below take each row as a case of its own.";
  const rows = found.scores.map((each) => [each.name, each.value, each.interval, ""]);
  rows.push(...found.pairs.map((each) => [each.name, each.value, each.interval, each.pvalue]));
  const heads = ["area, or difference", "estimate", `${found.level} interval`, "p"];
  $("clusters").replaceChildren(table(caption, heads, rows));
}

export function wire() {
  $("to-report").onclick = () => {
    $("result-title").scrollIntoView();
    $("result-title").focus({ preventScroll: true });
  };
  // The frame is of no origin, so it is told; printed by itself it has all its pages.
  $("print").onclick = () => $("report").contentWindow.postMessage("print", "*");
  $("cancel").onclick = () => {
    asking?.abort();
    asking = null;
    busy(false);
    say(shown ? "Stopped. The report is of the choices before; change one to begin again."
      : "Stopped. Change a choice to begin again.");
    $("result-title").focus();
  };
  for (const button of document.querySelectorAll("[data-take]")) {
    button.onclick = async () => {
      const words = button.textContent;
      button.disabled = true;
      button.textContent = "Drawing …";
      try {
        await take(`/reports/${shown.id}/${button.dataset.take}`, `${button.dataset.take}.zip`);
      } catch (error) {
        complain(error);
      } finally {
        button.disabled = false;
        button.textContent = words;
      }
    };
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.onclick = async () => {
      await navigator.clipboard?.writeText($(button.dataset.copy).textContent);
      say("Copied.");
    };
  }
}
