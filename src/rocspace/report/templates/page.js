"use strict";
// Draw each chart when its turn comes, and let a reader walk along the ROC curves.
(() => {
  const specs = JSON.parse(document.getElementById("charts").textContent);
  const options = {
    mode: "vega-lite",
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

  async function draw(figure) {
    const spec = Object.assign(specs[figure.dataset.chart], size(figure));
    const { view } = await vegaEmbed(figure, spec, options);
    new ResizeObserver(() => {
      const { width, height } = size(figure);
      if (width === view.width() || matchMedia("print").matches) return;
      view.width(width);
      if (height) view.height(height);
      view.runAsync();
    }).observe(figure);
    if (figure.dataset.chart === "roc") explore(figure, view, spec.datasets.curve);
  }

  function element(tag, text, small) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (small) made.append(" ", element("small", small));
    return made;
  }

  // Three decimals, near 0 and 1 more: never 1.000 for what is not 1.
  function rate(part, whole) {
    const rest = Math.min(part, whole - part) / whole;
    if (rest <= 0) return String(Math.round(part / whole));
    return (part / whole).toFixed(rest < 0.01 ? Math.min(1 - Math.floor(Math.log10(rest)), 9) : 3);
  }
  const count = (x) => x.toLocaleString("en", { maximumFractionDigits: 1 });

  function explore(figure, view, curves) {
    const readout = document.getElementById("readout");
    const first = [...readout.children]; // what the page says by itself
    let at = null; // the curve and the point on it

    function show(next) {
      at = next;
      if (!at) {
        view.data("picked", []).runAsync();
        readout.replaceChildren(...first);
        return;
      }
      const [c, i] = at;
      const curve = curves[c];
      view.data("picked", [{ fpr: curve.fpr[i], tpr: curve.tpr[i] }]).runAsync();
      const list = document.createElement("dl");
      for (const [term, value, note] of [
        ["Threshold", `${curve.sign} ${curve.threshold[i]}`],
        ["TPR", rate(curve.tp[i], curve.n_pos), `${count(curve.tp[i])} of ${count(curve.n_pos)} positives`],
        ["FPR", rate(curve.fp[i], curve.n_neg), `${count(curve.fp[i])} of ${count(curve.n_neg)} negatives`],
      ]) {
        list.append(element("dt", term), element("dd", value, note));
      }
      const who = element("p", curve.name);
      who.className = "who";
      readout.replaceChildren(who, list);
    }

    // The point nearest to the pointer, in pixels; none if all are far away.
    function nearest(event) {
      const box = figure.querySelector("svg").getBoundingClientRect();
      const [left, top] = view.origin();
      const scale = box.width / figure.querySelector("svg").width.baseVal.value;
      const pad = view.padding();
      const x = ((event.clientX - box.left) / scale - left - pad.left) / view.width();
      const y = 1 - ((event.clientY - box.top) / scale - top - pad.top) / view.height();
      let best = 0.15 ** 2;
      let found = null;
      curves.forEach((curve, c) => {
        for (let i = 0; i < curve.fpr.length; i++) {
          const far = (curve.fpr[i] - x) ** 2 + (curve.tpr[i] - y) ** 2;
          if (far < best) [best, found] = [far, [c, i]];
        }
      });
      return found;
    }

    figure.addEventListener("pointermove", (event) => show(nearest(event)));
    figure.addEventListener("pointerdown", (event) => show(nearest(event)));
    figure.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && show(null));
    figure.addEventListener("keydown", (event) => {
      const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (event.key === "Escape") show(null);
      if (!step) return;
      event.preventDefault();
      const [c, i] = at || [0, Math.floor(curves[0].fpr.length / 2)];
      const curve = Math.min(Math.max(c + step[0], 0), curves.length - 1);
      // On another curve, go to the point with the nearest false positive rate.
      const fpr = curves[c].fpr[i];
      const start = curve === c ? i + step[1] : Math.max(curves[curve].fpr.findIndex((x) => x >= fpr), 0);
      show([curve, Math.min(Math.max(start, 0), curves[curve].fpr.length - 1)]);
    });
  }

  (async () => {
    for (const figure of document.querySelectorAll("[data-chart]")) {
      await draw(figure);
      await new Promise((done) => setTimeout(done));
    }
    document.documentElement.dataset.drawn = "yes";
  })();
})();
