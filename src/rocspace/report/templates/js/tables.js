// Tables that can be sorted by their columns and saved as csv.

const visible = (node) => getComputedStyle(node).display !== "none";

// The text of a node as it is seen, without what is to be left out.
function textOf(node, without = "svg") {
  const gather = (each) => {
    if (each.nodeType === Node.TEXT_NODE) return each.data;
    if (each.nodeType !== Node.ELEMENT_NODE || each.matches(without) || !visible(each)) return "";
    const before = each.matches("small, br") ? " " : "";
    return `${before}${[...each.childNodes].map(gather).join("")} `;
  };
  return [...node.childNodes].map(gather).join("").replace(/\s+/g, " ").trim();
}
const mainText = (cell) => textOf(cell, "small, svg");

// Texts of the page as a program reads them: a plain minus, no thousands, no narrow spaces.
function plainText(text) {
  const bare = text.replace(/[\u202f\u00a0]/g, " ").trim();
  if (/^−?[\d,]*\.?\d+(e[+−-]?\d+)?$/.test(bare)) return bare.replace(/,/g, "").replace(/−/g, "-");
  return bare.replace(/^−∞$/, "-inf").replace(/^∞$/, "inf").replace(/^–$/, "");
}

// The value that a column is sorted by: a number where there is one.
function sortKey(cell) {
  if (!cell) return "";
  const text = plainText(cell.dataset.sort ?? mainText(cell));
  const number = Number(text.replace(/^[<>]\s*/, "").replace(/ %$/, "").replace(/^(-?)inf$/, "$1Infinity"));
  return text === "" || Number.isNaN(number) ? text : number;
}

function compareKeys(a, b) {
  if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  return typeof a === "number" ? -1 : 1; // numbers before words
}

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const sort = (column) => {
    const head = heads[column];
    const rising = head.getAttribute("aria-sort") !== "ascending";
    const way = rising ? 1 : -1;
    const rows = [...body.rows].map((row) => [sortKey(row.cells[column]), row]);
    const empty = ([key]) => key === "";
    rows.sort((a, b) => empty(a) - empty(b) || way * compareKeys(a[0], b[0]));
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    body.append(...rows.map(([, row]) => row));
    table.classList.add("sorted");
  };
  heads.forEach((head, column) => {
    if (!head.textContent.trim() || head.querySelector("svg")) return;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "sort" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(column));
  });
}

const isNumber = (text) => /^[<>]?\s*-?(\d*\.?\d+(e[+-]?\d+)?|inf)$/.test(text);

// What a cell says, in order: texts of its own, each followed by the notes below it.
function partsOf(cell) {
  const parts = [{ own: "", notes: [] }];
  const own = (text) => {
    if (text.trim() && parts.at(-1).notes.length) parts.push({ own: "", notes: [] });
    parts.at(-1).own += text;
  };
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) own(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches("svg") || !visible(node)) return;
    if (node.matches("small")) {
      parts.at(-1).notes.push(textOf(node));
      return;
    }
    node.childNodes.forEach(walk);
    own(" ");
  };
  cell.childNodes.forEach(walk);
  return parts;
}

// The fields of a text by name: both ends of an interval, or a note such as "p = 0.32", called p.
function namedFields(text, name) {
  const ends = text.split(" to ").map(plainText);
  if (ends.length === 2 && ends.every(isNumber)) return { low: ends[0], high: ends[1] };
  const said = name && text.match(/^(\p{L}[\p{L} ]*?) (?:= )?(\S+)$/u);
  if (said && isNumber(plainText(said[2]))) return { [said[1]]: plainText(said[2]) };
  return { [name]: plainText(text) };
}

// The fields of a cell by the name that is added to the head of its column.
function fieldsOf(cell, head) {
  const parts = partsOf(cell);
  const names = partsOf(head)[0].notes.join().split(", ");
  const of = names.length === parts.length ? names : parts.map((_, i) => `${i + 1}`);
  const found = {};
  parts.forEach(({ own, notes }, i) => {
    const all = [namedFields(own.replace(/\s+/g, " ").trim(), ""), ...notes.map((note) => namedFields(note, "note"))];
    for (const [name, text] of all.flatMap(Object.entries)) {
      found[[parts.length > 1 ? of[i] : "", name].filter(Boolean).join(" ")] = text;
    }
  });
  return found;
}

// The name of a column in a file; of several columns for one head, without its notes.
function nameOf(head, several) {
  const [{ own }] = partsOf(head);
  return head.dataset.name ?? (several ? own.replace(/\s+/g, " ").trim() : textOf(head));
}

// The rows of a table as texts, each value in a column of its own; what is only drawn is left out.
function rowsOf(table) {
  const seen = (row) => [...row.cells].filter(visible);
  const heads = seen([...table.tHead.rows].at(-1));
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).map(seen);
  const columns = heads.flatMap((head, i) => {
    const cells = rows.map((row) => (row[i] ? fieldsOf(row[i], head) : {}));
    const names = [...new Set(cells.flatMap(Object.keys))];
    const said = names.filter((name) => cells.some((cell) => cell[name]));
    const drawn = rows.some((row) => row[i]?.querySelector("svg")) && !said.length;
    const kept = drawn ? [] : said.length ? said : [""];
    return kept.map((name) => [
      `${nameOf(head, kept.length > 1)} ${name}`.trim(), ...cells.map((cell) => cell[name] ?? ""),
    ]);
  });
  return [0, ...rows.map((_, i) => i + 1)].map((i) => columns.map((column) => column[i]));
}

// A spreadsheet must not take a name for a formula.
function csv(rows) {
  const field = (text) => {
    const safe = /^[=+@\t\r]|^-(?![\d.]|inf$)/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  const text = rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
  const mark = /[^\x00-\x7f]/.test(text) ? "\ufeff" : ""; // for spreadsheets that guess
  return new Blob([mark, text], { type: "text/csv" });
}
