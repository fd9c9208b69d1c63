// Tables that can be sorted by their columns and saved as csv.

const visible = (node) => getComputedStyle(node).display !== "none";

// The text of a node as it is seen, without what is to be left out.
function textOf(node, without = "svg") {
  const gather = (each) => {
    if (each.nodeType === Node.TEXT_NODE) return each.data;
    if (each.nodeType !== Node.ELEMENT_NODE || each.matches(without) || !visible(each)) return "";
    return each.tagName === "BR" ? " " : [...each.childNodes].map(gather).join("") + " ";
  };
  return [...node.childNodes].map(gather).join("").replace(/\s+/g, " ").trim();
}
const mainText = (cell) => textOf(cell, "small, svg");
const notes = (cell) => [...cell.querySelectorAll("small")].filter(visible).map((node) => textOf(node)).filter(Boolean);

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

// The rows of a table as texts; both ends of an interval in a note have columns of their own.
function rowsOf(table) {
  const rows = [...table.rows].map((row) => [...row.cells].filter(visible));
  const said = (cell) => notes(cell).flatMap((note) => note.split(" to ").map(plainText));
  const inHead = (cell) => cell.closest("thead") !== null;
  const more = (column) => rows.map((row) => row[column])
    .reduce((most, cell) => (!cell || inHead(cell) ? most : Math.max(most, said(cell).length)), 0);
  const extra = Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, i) => more(i));
  const field = (cell, column) => {
    const name = textOf(cell);
    const added = inHead(cell)
      ? Array.from({ length: extra[column] }, (_, i) =>
          `${name} ${extra[column] === 2 ? ["low", "high"][i] : `note ${i + 1}`}`)
      : said(cell);
    const fill = Array(extra[column] - added.length).fill("");
    return [inHead(cell) ? name : plainText(mainText(cell)), ...added, ...fill];
  };
  return rows.map((row) => row.flatMap(field));
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
