// The files, the one that is shown, and the choices. The address carries choices, never data.

const lists = ["scores", "lower", "order"];
const texts = ["label", "positive", "weight", "cluster", "by"];

export const state = { files: [], file: null, choice: null };

export const fileOf = (id) => state.files.find((each) => each.id === id) ?? null;
export const columnOf = (name, file = state.file) =>
  file?.columns.find((each) => each.name === name) ?? null;

// The column of each class, by classifier, where the label has classes with a column each; and
// whether all of them are looked at, not one against the others.
export const classesOf = (name) => Object.entries(columnOf(name)?.classes ?? {});
export const ofClasses = () => !state.choice.positive && !ofOrder() && classesOf(state.choice.label).length > 0;
export const ofOrder = () => state.choice.order.length > 0;

export function guessed(file) {
  const { label, positive, scores } = file.guess;
  return { label, positive, scores: [...scores], lower: [], order: [], weight: null, cluster: null,
    by: null, missing: "raise", level: 0.95 };
}

export function write() {
  const said = new URLSearchParams();
  if (state.file) {
    said.set(state.file.example ? "example" : "file", state.file.example ?? state.file.id);
    for (const name of texts) if (state.choice[name] !== null) said.set(name, state.choice[name]);
    for (const name of lists) for (const each of state.choice[name]) said.append(name, each);
    if (state.choice.missing === "omit") said.set("missing", "omit");
    if (state.choice.level !== 0.95) said.set("level", state.choice.level);
  }
  const hash = said.toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname);
}

export function read() {
  const said = new URLSearchParams(location.hash.slice(1));
  const choice = {};
  for (const name of texts) if (said.has(name)) choice[name] = said.get(name);
  for (const name of lists) if (said.has(name)) choice[name] = said.getAll(name);
  if (said.get("missing") === "omit") choice.missing = "omit";
  const level = Number(said.get("level"));
  if (level >= 0.5 && level < 1) choice.level = level;
  return { file: said.get("file"), example: said.get("example"), choice };
}

// What an address chose, as far as this file has such columns.
export function fitting(file, choice) {
  const known = (name) => columnOf(name, file) !== null;
  const kept = { ...guessed(file) };
  if ("label" in choice && known(choice.label)) {
    kept.label = choice.label;
    kept.positive = choice.positive ?? null;
  }
  for (const name of ["weight", "cluster", "by"]) if (known(choice[name])) kept[name] = choice[name];
  for (const name of ["scores", "lower"]) if (choice[name]) kept[name] = choice[name].filter(known);
  const values = columnOf(kept.label, file)?.order ?? [];
  if (choice.order?.length === values.length && values.every((each) => choice.order.includes(each))) kept.order = choice.order;
  for (const name of ["missing", "level"]) if (name in choice) kept[name] = choice[name];
  return kept;
}
