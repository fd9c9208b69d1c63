// Draw each chart when its turn comes, then let the reader explore them.
(() => {
  const { charts, scores, uncertain } = JSON.parse(document.getElementById("drawn").textContent);
  // Calm axes in the colours of the page.
  const look = {
    background: "transparent",
    font: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
    padding: 2,
    view: { stroke: null },
    axis: {
      labelColor: "var(--muted)",
      titleColor: "var(--ink)",
      gridColor: "var(--grid)",
      domainColor: "var(--rule)",
      tickColor: "var(--rule)",
      labelFontSize: 12,
      titleFontSize: 13,
      titleFontWeight: "normal",
      titlePadding: 8,
      labelPadding: 5,
      tickSize: 4,
    },
  };
  const options = {
    mode: "vega-lite",
    config: look,
    ast: true, // no eval: the page's policy forbids it
    actions: false,
    renderer: "svg",
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true, theme: "page" },
  };

  // Width and height of the plotting area that fit a figure; room is left for the axes.
  function size(figure) {
    const room = figure.clientWidth - 58;
    if (!figure.classList.contains("square")) return { width: Math.max(room, 200) };
    const side = Math.min(Math.max(room, 200), 500);
    return { width: side, height: side };
  }

  const watched = new WeakMap();
  async function embed(figure, spec) {
    const { view } = await vegaEmbed(figure, Object.assign(spec, size(figure)), options);
    watched.get(figure)?.disconnect();
    const observer = new ResizeObserver(() => {
      const { width, height } = size(figure);
      if (width === view.width() || matchMedia("print").matches) return;
      view.width(width);
      if (height) view.height(height);
      view.runAsync();
    });
    observer.observe(figure);
    watched.set(figure, observer);
    return view;
  }

  (async () => {
    const views = {};
    for (const figure of document.querySelectorAll("[data-chart]")) {
      const name = figure.dataset.chart;
      if (!charts[name]) continue; // the explorer draws it
      views[name] = await embed(figure, structuredClone(charts[name]));
      await new Promise((done) => setTimeout(done));
    }
    if (scores.length) await explorer(scores, views, charts, embed);
    if (uncertain.length) uncertainty(uncertain, scores, views);
    contents();
    document.documentElement.dataset.drawn = "yes";
  })();
})();
