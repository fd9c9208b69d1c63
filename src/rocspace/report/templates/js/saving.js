// Buttons that save each chart as a picture and each table as csv; nothing leaves the machine.
function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function saveButtons(what, kinds) {
  const line = Object.assign(document.createElement("p"), { className: "save" });
  for (const [kind, save] of Object.entries(kinds)) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: kind });
    button.setAttribute("aria-label", `Save as ${kind}: ${what}`);
    button.addEventListener("click", save);
    line.append(button);
  }
  return line;
}

function saving(charts) {
  const title = document.querySelector("h1").textContent.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
  const file = (what, kind) => `${title}-${what}.${kind}`.replace(/^-/, "");

  for (const figure of document.querySelectorAll("[data-chart]")) {
    const name = figure.dataset.chart;
    const save = (kind) => async () => download(await charts.saved(name, kind), file(name, kind));
    figure.after(saveButtons(figure.getAttribute("aria-label"), { SVG: save("svg"), PNG: save("png") }));
  }
  document.querySelectorAll("main table").forEach((table, i) => {
    if (!table.tHead || !table.tBodies.length || table.matches(".bare")) return;
    const plain = table.tHead.rows.length === 1 && !table.matches(".matrix, .heat, [data-plain]") &&
      !table.tBodies[0].querySelector("[colspan], [rowspan]");
    if (plain && table.tBodies[0].rows.length > 1) sortable(table);
    const region = table.closest("[role=region]");
    const labelled = document.getElementById(region?.getAttribute("aria-labelledby") ?? "");
    const what = table.caption?.textContent.trim() || region?.getAttribute("aria-label") ||
      labelled?.textContent.trim() || `table ${i + 1}`;
    const save = () => download(csv(rowsOf(table)), file(`table-${i + 1}`, "csv"));
    (table.closest(".scroll") ?? table).after(saveButtons(what, { csv: save }));
  });
}
