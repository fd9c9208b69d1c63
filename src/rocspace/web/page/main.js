// The page: takes files, shows the choices of columns, and keeps the parts in step.

import { call, Refused, send } from "./api.js";
import * as compare from "./compare.js";
import { $, make } from "./dom.js";
import * as form from "./form.js";
import * as results from "./results.js";
import { fileOf, fitting, read, state, write } from "./state.js";

const about = JSON.parse(document.body.dataset.about);

function stage(name) {
  document.body.dataset.stage = name;
  $("work").hidden = name !== "work";
  $("forget").hidden = !state.files.length;
}

function sayLimits() {
  const { text } = about.limits;
  $("privacy").textContent = about.local
    ? "Your file stays on this computer. It is deleted when the program stops."
    : "Your file goes to the computer that serves this page, over a connection that is not encrypted, and is deleted after use.";
  $("limits").textContent = `csv, tsv, parquet, arrow or ndjson, also compressed. Up to ${text.size}; `
    + `rows times scores up to ${text.values}; a report may take ${text.seconds}. `
    + `Files are deleted after ${text.minutes} without use. From Excel: save as csv first.`;
}

// --- files ---------------------------------------------------------------------------------------

async function bring(file, asking) {
  results.calm();
  if (file.size > about.limits.size) {
    const [size, unit] = file.size < 1e6 ? [file.size / 1e3, "kB"] : [file.size / 1e6, "MB"];
    const message = `${file.name} has ${Number(size.toPrecision(3))} ${unit}; this page takes files up to ${about.limits.text.size}. `
      + "Use the command line, which reads files of any size, or leave out columns.";
    results.complain(new Refused([{ field: "file", message }]));
    return null;
  }
  results.say(`Reading ${file.name}.`);
  $("sending").hidden = false;
  try {
    const found = await asking((share) => { $("sending").value = 100 * share; });
    state.files.push(found);
    results.settle();
    return found;
  } catch (error) {
    results.complain(error);
    return null;
  } finally {
    $("sending").hidden = true;
    $("sending").value = 0;
  }
}

const upload = (file) => bring(file, (progress) => send(file, progress));
const example = (name) => bring({ name, size: 0 }, () => call("POST", `/api/examples/${encodeURIComponent(name)}`));

function open(file, choice = {}) {
  state.file = file;
  state.choice = fitting(file, choice);
  stage("work");
  listFiles();
  results.clear();
  form.show();
  compare.show();
  $("choices-title").focus({ preventScroll: true });
  results.run();
}

function listFiles() {
  $("files").replaceChildren(...state.files.map((each) => make("option", { value: each.id }, each.name)));
  $("files").value = state.file.id;
  $("files-label").hidden = state.files.length < 2;
}

function start() {
  state.file = state.choice = null;
  results.clear();
  results.calm();
  results.say("");
  write();
  stage("start");
  $("start-title").scrollIntoView();
}

// A link that was sent along has the choices of another file with the same columns.
let pending = {};

async function opened(file) {
  if (!file) return;
  const choice = pending;
  pending = {};
  open(file, choice);
}

// --- the page ------------------------------------------------------------------------------------

function wireDrop() {
  for (const name of ["dragover", "dragenter"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      $("drop").classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) $("drop").classList.remove("over");
  });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    $("drop").classList.remove("over");
    const [file] = event.dataTransfer?.files ?? [];
    if (file) opened(await upload(file));
  });
}

function wire() {
  form.wire();
  results.wire();
  compare.wire();
  wireDrop();
  form.onChange(() => {
    compare.show();
    results.soon();
  });
  const chosen = (input, then) => {
    input.onchange = async () => {
      const [file] = input.files;
      input.value = "";
      if (file) then(await upload(file));
    };
  };
  chosen($("file"), opened);
  chosen($("second"), (file) => file && (listFiles(), compare.chooseOther(file.id)));
  for (const button of document.querySelectorAll("[data-example]")) {
    button.onclick = async () => opened(await example(button.dataset.example));
  }
  $("files").onchange = () => open(fileOf($("files").value));
  $("another").onclick = () => { start(); $("file").focus(); };
  $("remove").onclick = async () => {
    const { id } = state.file;
    state.files = state.files.filter((each) => each.id !== id);
    await call("DELETE", `/api/files/${id}`).catch(results.complain);
    if (state.files.length) open(state.files[0]);
    else start();
    stage(state.file ? "work" : "start");
  };
  $("forget").onclick = async () => {
    await call("DELETE", "/api/files").catch(results.complain);
    state.files = [];
    start();
    results.say("Your files are deleted.");
  };
}

async function begin() {
  sayLimits();
  wire();
  const said = read();
  try {
    state.files = (await call("GET", "/api/files")).files;
  } catch (error) {
    results.complain(error);
    return;
  }
  stage("start");
  pending = said.choice;
  const known = said.example ? state.files.find((each) => each.example === said.example) : fileOf(said.file);
  if (known) opened(known);
  else if (said.example) opened(await example(said.example));
  else if (said.file) {
    results.say("The address has choices of columns, but no data: choose the file, and they are made again.");
  } else if (state.files.length) opened(state.files.at(-1));
}

begin();

addEventListener("hashchange", () => location.reload());
