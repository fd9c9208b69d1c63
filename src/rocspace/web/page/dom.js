// Small helpers. Text is always set as text: names of columns are data, never markup.

export const $ = (id) => document.getElementById(id);

export function make(tag, set = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(set)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...inside);
  return made;
}

export function choose(select, values, chosen, none) {
  const options = none === undefined ? [] : [make("option", { value: "" }, none)];
  for (const value of values) options.push(make("option", { value }, value));
  select.replaceChildren(...options);
  select.value = values.includes(chosen) ? chosen : (none === undefined ? values[0] ?? "" : "");
}

export function table(caption, heads, rows) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map(([name, ...cells]) => make("tr", {},
    make("th", { scope: "row" }, name), ...cells.map((text) => make("td", {}, text))));
  return make("div", { className: "wide" }, make("table", {}, make("caption", {}, caption),
    make("thead", {}, head), make("tbody", {}, ...body)));
}
