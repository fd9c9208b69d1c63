// Draw specifications in the colours of the page, keep what they show, and save them as files.
function drawing(specs) {
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
  const shown = {}; // by name: the figure, its specification, its view, and the rows put into it

  // Width and height of the plotting area that fit a figure; room is left for the axes.
  function size(figure) {
    const room = figure.clientWidth - 58;
    if (!figure.classList.contains("square")) return { width: Math.max(room, 200) };
    const side = Math.min(Math.max(room, 200), 500);
    return { width: side, height: side };
  }

  // The specification with the rows that were put into it, and axes in the reader's words.
  function filled({ figure, spec, rows }) {
    const copy = reworded(structuredClone(spec));
    const description = figure.getAttribute("aria-label");
    return { ...copy, ...size(figure), description, datasets: { ...copy.datasets, ...rows } };
  }

  const watched = new WeakMap();
  async function draw(name) {
    const known = shown[name];
    const { figure } = known;
    const turn = (known.turn = (known.turn ?? 0) + 1);
    const { view } = await vegaEmbed(figure, filled(known), options);
    if (turn !== known.turn) return;
    known.view = view;
    // To a screen reader the chart is one picture with its description, or, where keys move
    // through it, an application; not thousands of marks.
    figure.setAttribute("role", figure.tabIndex < 0 ? "img" : "application");
    figure.removeAttribute("aria-roledescription");
    figure.querySelector("svg").setAttribute("aria-hidden", "true");
    put(name, known.rows); // what was put while it was drawn
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
  }

  // Keep what is put into a chart until it is shown.
  function hold(figure, name, spec = specs[name]) {
    shown[name] = { figure, spec, rows: {} };
  }

  // Draw a chart in a figure; rows put into it before are kept, but for another specification.
  function show(figure, name, spec = specs[name]) {
    const rows = shown[name]?.spec === spec ? shown[name].rows : {};
    shown[name] = { ...shown[name], figure, spec, rows };
    return draw(name);
  }

  function hide(name) {
    if (!shown[name]) return;
    shown[name].view?.finalize();
    shown[name].figure.replaceChildren();
    delete shown[name];
  }

  // Replace data sets of a chart.
  function put(name, sets) {
    const known = shown[name];
    if (!known) return;
    Object.assign(known.rows, sets);
    if (!known.view) return;
    for (const [key, rows] of Object.entries(sets)) known.view.data(key, rows);
    known.view.runAsync();
  }

  // The chart as it looks now, its colours written out, as a picture that stands by itself.
  async function saved(name, kind) {
    const { figure } = shown[name];
    const colours = getComputedStyle(figure);
    const text = JSON.stringify({ ...filled(shown[name]), background: "var(--paper)", config: look })
      .replace(/var\((--[\w-]+)\)/g, (_, colour) => colours.getPropertyValue(colour).trim());
    const spec = JSON.parse(text);
    const { view } = await vegaEmbed(document.createElement("div"), spec, { ...options, config: {} });
    if (kind === "svg") return new Blob([await view.toSVG()], { type: "image/svg+xml" });
    const canvas = await view.toCanvas(2);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  return {
    show,
    hold,
    hide,
    put,
    saved,
    spec: (name) => specs[name],
    view: (name) => shown[name]?.view,
    redraw: () => Promise.all(Object.keys(shown).filter((name) => shown[name].turn).map(draw)),
  };
}

// --- false positive rate, or specificity -----------------------------------------------------

const bySpecificity = () => document.documentElement.dataset.rate === "specificity";
const SPECIFIC = {
  "False positive rate": "Specificity",
  "True positive rate": "Sensitivity",
  "Recall (true positive rate)": "Sensitivity (recall)",
  "False negative rate": "1 − sensitivity",
};

// Name the axes as the reader chose; specificity falls to the right, the curve stays as it is.
function reworded(spec) {
  if (!bySpecificity()) return spec;
  const visit = (node) => {
    if (node === null || typeof node !== "object") return;
    const said = SPECIFIC[node.title];
    if (said) {
      const falls = node.title === "False positive rate";
      const plain = falls && !node.axis?.labelExpr; // not on Normal-deviate axes
      node.title = falls && !plain ? "1 − specificity" : said;
      if (plain) node.axis = { ...node.axis, labelExpr: "format(1 - datum.value, '.1f')" };
    }
    for (const [key, each] of Object.entries(node)) if (key !== "datasets") visit(each);
  };
  visit(spec);
  return spec;
}

// One switch for the whole page.
function rateSwitch(charts, place, changed) {
  const choice = document.getElementById("rate");
  const apply = (rate) => {
    if (rate === "specificity") document.documentElement.dataset.rate = rate;
    else delete document.documentElement.dataset.rate;
    if (choice) choice.value = rate === "specificity" ? rate : "fpr";
  };
  const choose = (rate) => {
    apply(rate);
    place.set({ rate: bySpecificity() ? "specificity" : null });
    changed();
    return charts.redraw();
  };
  choice?.addEventListener("change", () => choose(choice.value));
  place.follow(() => {
    if ((place.get("rate") === "specificity") !== bySpecificity()) choose(place.get("rate"));
  });
  apply(place.get("rate"));
  place.set({ rate: bySpecificity() ? "specificity" : null });
}
