// Draw each chart when its turn comes, one in a fold when that is opened; then let the reader
// explore them.
(async () => {
  const { charts: specs, scores, uncertain, level } =
    JSON.parse(document.getElementById("drawn").textContent);
  const charts = drawing(specs);
  const place = address();
  const told = { explorer: null };
  rateSwitch(charts, place, () => told.explorer?.retell());
  const explored = new Set(["roc", "pr", "det", "cost"]);
  for (const figure of document.querySelectorAll("[data-chart]")) {
    const name = figure.dataset.chart;
    if (!specs[name]) continue; // the explorer draws it
    const fold = figure.closest("details:not([open])");
    if (fold) {
      charts.hold(figure, name);
      fold.addEventListener("toggle", () => charts.show(figure, name), { once: true });
      continue;
    }
    await charts.show(figure, name);
    // The explorer need not wait for what stands below it.
    if (explored.delete(name) && !explored.size) told.explorer = explorer(scores, level, charts, place);
    await new Promise((done) => setTimeout(done));
  }
  await told.explorer?.drawn;
  if (uncertain.length) uncertainty(uncertain, scores, charts);
  saving(charts);
  contents();
  place.scroll();
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data === "print") print(); // the web app has it in a frame
  });
  document.documentElement.dataset.drawn = "yes";
})();
