"use strict";
// One threshold, moved through every chart; prevalence and costs, and what is best for them.
function explorer(scores, views, specs, embed) {
  const $ = (id) => document.getElementById(id);
  const state = { score: 0, fixed: scores[0].start, hover: null, logit: null, ratio: 0 };
  const dataLogit = () => Math.log(now().prevalence / (1 - now().prevalence));
  const now = () => scores[state.score];

  // --- numbers as people read them ---------------------------------------------------------

  // Three decimals, near 0 and 1 more: never 1.000 for what is not 1.
  function share(x) {
    if (!Number.isFinite(x)) return "–";
    const rest = Math.min(x, 1 - x);
    if (rest <= 0) return String(Math.round(x));
    return x.toFixed(rest < 0.01 ? Math.min(1 - Math.floor(Math.log10(rest)), 9) : 3);
  }
  const percent = (x) => `${(100 * x).toPrecision(x > 0.1 && x < 0.9 ? 3 : 2)}\u202f%`;
  const count = (x) => x.toLocaleString("en", { maximumFractionDigits: 1 });
  const short = (x) => (Number.isFinite(x) ? Number(x.toPrecision(3)).toLocaleString("en") : x > 0 ? "∞" : "–");
  const times = (x) => (x >= 1 ? short(x) : `1/${short(1 / x)}`);

  function element(tag, text, small) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (small) made.append(" ", element("small", small));
    return made;
  }

  // --- what the sliders say ----------------------------------------------------------------

  const prevalence = () => (state.logit === null ? now().prevalence : 1 / (1 + Math.exp(-state.logit)));
  const ratio = () => Math.pow(10, state.ratio);
  const at = () => state.hover ?? [state.score, state.fixed];
  const rates = (score, i) => [score.fp[i] / score.n_neg, score.tp[i] / score.n_pos];
  // Cost of a case on average, a false positive costing 1.
  function cost([f, t]) {
    return (1 - prevalence()) * f + prevalence() * ratio() * (1 - t);
  }

  // All vertices of the hull that cost least, the most conservative first.
  function best(score) {
    const costs = score.hull.map((i) => cost(rates(score, i)));
    const least = Math.min(...costs);
    return score.hull.filter((_, j) => costs[j] <= least * (1 + 1e-12) + 1e-300);
  }

  // --- drawing -------------------------------------------------------------------------------

  const put = (name, sets) => {
    const view = views[name];
    if (!view) return;
    for (const [key, rows] of Object.entries(sets)) view.data(key, rows);
    view.runAsync();
  };

  // Precision at the chosen prevalence; between two points false and true positives grow in
  // proportion, so precision follows a hyperbola, drawn in steps where the gap is wide.
  function precision([f, t]) {
    const right = prevalence() * t;
    return right / (right + (1 - prevalence()) * f);
  }
  function prRows(score) {
    const rows = [];
    for (let i = 1; i < score.tp.length; i++) {
      const [a, b] = [rates(score, i - 1), rates(score, i)];
      const wide = score.straight ? 0 : Math.ceil(20 * (b[1] - a[1]));
      for (let s = 1; s <= Math.max(wide, 1); s++) {
        const part = s / Math.max(wide, 1);
        const point = [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
        rows.push({ x: point[1], y: precision(point), i: rows.length });
      }
    }
    if (rows.length) rows.unshift({ x: 0, y: rows[0].y, i: -1 });
    return rows;
  }
  const prPoint = (score, i) => {
    const point = rates(score, i);
    return { x: point[1], y: point[1] + point[0] > 0 ? precision(point) : precision(rates(score, 1)) };
  };

  // Where the line of equal cost through a point enters and leaves the unit square.
  function costLine([f, t]) {
    const slope = (1 - prevalence()) / (prevalence() * ratio());
    const ends = [[0, t - f * slope], [1, t + (1 - f) * slope]];
    if (ends[0][1] < 0) ends[0] = [f - t / slope, 0];
    if (ends[1][1] > 1) ends[1] = [f + (1 - t) / slope, 1];
    return ends.map(([fpr, tpr]) => ({ fpr, tpr }));
  }

  function drawScore() {
    const score = now();
    const hull = score.hull.map((i) => ({ fpr: rates(score, i)[0], tpr: rates(score, i)[1] }));
    put("roc", { hull });
    put("det", { curve: score.det_x.map((x, i) => ({ x, y: score.det_y[i], i })) });
    put("cost", {
      curve: envelope(score),
      trivial: [[0, 0, "a"], [1, 1, "a"], [0, 1, "b"], [1, 0, "b"]].map(([x, y, which]) => ({ x, y, which })),
    });
    const range = $("threshold");
    range.max = score.tp.length - 1;
    if ($("which")) $("which").value = state.score;
    $("explore").className = document.querySelector(`#score-${state.score + 1}`)?.closest("section").className.replace("score ", "") ?? "";
    return drawHistogram();
  }

  // The lower envelope of the cost lines: its corners are where one vertex takes over.
  function envelope(score) {
    const line = (i, x) => {
      const [f, t] = rates(score, i);
      return (1 - t) * x + f * (1 - x);
    };
    const order = [...score.hull].reverse(); // the most liberal is best at 1, the least at 0
    const corners = [0];
    for (let j = score.hull.length - 1; j > 0; j--) {
      const [f0, t0] = rates(score, score.hull[j - 1]);
      const [f1, t1] = rates(score, score.hull[j]);
      corners.push((f1 - f0) / (f1 - f0 + (t1 - t0)));
    }
    corners.push(1);
    return corners
      .sort((a, b) => a - b)
      .map((x, i) => ({ x, y: Math.min(...order.map((v) => line(v, x))), i }));
  }

  let histogram = 0;
  async function drawHistogram() {
    const figure = document.querySelector('[data-chart="histogram"]');
    const spec = specs[`score-${state.score + 1}`];
    const turn = ++histogram;
    if (!spec) {
      delete views.histogram;
      figure.replaceChildren();
      return;
    }
    const copy = structuredClone(spec);
    copy.datasets.rule = [];
    const view = await embed(figure, copy);
    if (turn === histogram) views.histogram = view;
    drawThreshold();
  }

  // Everything that depends on prevalence and costs.
  function drawCosts() {
    const score = now();
    const found = best(score);
    const [first, last] = [found[0], found[found.length - 1]];
    const x = (prevalence() * ratio()) / (prevalence() * ratio() + 1 - prevalence());
    const both = [...new Set([first, last])];
    const [f, t] = rates(score, first);
    put("roc", {
      best: both.map((i) => ({ fpr: rates(score, i)[0], tpr: rates(score, i)[1] })),
      line: costLine([f, t]),
    });
    put("pr", {
      curve: prRows(score),
      chance: [{ y: prevalence() }],
      best: both.map((i) => prPoint(score, i)),
    });
    put("det", { best: both.map((i) => ({ x: score.det_x[i], y: score.det_y[i] })) });
    put("cost", { now: [{ x }], best: [{ x, y: (1 - t) * x + f * (1 - x) }] });
    const text = `${score.sign} ${score.threshold[first]}`;
    const mixed = first === last ? "" : ` or, as cheap, ${score.sign} ${score.threshold[last]}, or any mixture of the two`;
    const node = $("best");
    node.replaceChildren(
      "Least cost: positive if score ",
      Object.assign(document.createElement("b"), { textContent: text }),
      `${mixed}. Expected cost: ${short(cost([f, t]))} per case (in units of one false positive), `,
      `calling no case positive ${short(cost([0, 0]))}, every case ${short(cost([1, 1]))}.`,
    );
    node.dataset.threshold = score.exact[first];
    node.dataset.point = first;
    node.dataset.prevalence = prevalence();
    node.dataset.ratio = ratio();
    const own = state.logit === null;
    $("prevalence").value = own ? dataLogit() : state.logit;
    $("prevalence-said").textContent = own ? `${percent(prevalence())}, as in the data` : percent(prevalence());
    $("prevalence").setAttribute("aria-valuetext", $("prevalence-said").textContent);
    $("ratio").value = state.ratio;
    $("ratio-said").textContent =
      state.ratio === 0 ? "the same as a false positive" : `${times(ratio())} false positive${ratio() > 1 ? "s" : ""}`;
    $("ratio").setAttribute("aria-valuetext", $("ratio-said").textContent);
    drawThreshold();
  }

  // Everything that depends on the threshold.
  function drawThreshold() {
    const [c, i] = at();
    const score = scores[c];
    const [f, t] = rates(score, i);
    put("roc", { picked: [{ fpr: f, tpr: t }] });
    if (c === state.score) {
      const x = (prevalence() * ratio()) / (prevalence() * ratio() + 1 - prevalence());
      put("pr", { picked: [prPoint(score, i)] });
      put("det", { picked: [{ x: score.det_x[i], y: score.det_y[i] }] });
      put("cost", {
        line: [{ x: 0, y: f }, { x: 1, y: 1 - t }],
        picked: [{ x, y: (1 - t) * x + f * (1 - x) }],
      });
      const where = Number(score.exact[i]);
      put("histogram", { rule: Number.isFinite(where) ? [{ x: where, label: `${score.sign} ${score.threshold[i]}` }] : [] });
    }
    readout(score, i);
    $("threshold").value = i;
    $("threshold-said").textContent = `${score.sign} ${score.threshold[i]}`;
    $("threshold").setAttribute("aria-valuetext", `score ${score.sign} ${score.threshold[i]}`);
    matrix(score, i, f, t);
    measures(f, t);
    const line = `rs.point_at(table, ${score.exact[i].includes("inf") ? `float("${score.exact[i]}")` : score.exact[i]})`;
    $("code").textContent = `${score.python}\n${line}`;
    $("code-shell").textContent = `${score.shell} --threshold ${score.exact[i]}`;
  }

  function readout(score, i) {
    const list = document.createElement("dl");
    for (const [term, value, note] of [
      ["Threshold", `${score.sign} ${score.threshold[i]}`],
      ["TPR", share(score.tp[i] / score.n_pos), `${count(score.tp[i])} of ${count(score.n_pos)} positives`],
      ["FPR", share(score.fp[i] / score.n_neg), `${count(score.fp[i])} of ${count(score.n_neg)} negatives`],
    ]) {
      list.append(element("dt", term), element("dd", value, note));
    }
    const who = element("p", score.name);
    who.className = "who";
    if (i === score.start) who.append(" ", element("small", "largest Youden index"));
    $("readout").replaceChildren(who, list);
  }

  function matrix(score, i, f, t) {
    const p = prevalence();
    const cells = {
      tp: [score.tp[i], p * t], fn: [score.n_pos - score.tp[i], p * (1 - t)],
      fp: [score.fp[i], (1 - p) * f], tn: [score.n_neg - score.fp[i], (1 - p) * (1 - f)],
    };
    for (const [name, [n, part]] of Object.entries(cells)) {
      const cell = $(`cell-${name}`);
      cell.replaceChildren(count(n), element("small", count(1000 * part)));
    }
  }

  function measures(f, t) {
    const p = prevalence();
    const [tp, fp, fn, tn] = [p * t, (1 - p) * f, p * (1 - t), (1 - p) * (1 - f)];
    const mcc = (tp * tn - fp * fn) / Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn));
    const rows = [
      ["Precision (PPV)", share(tp / (tp + fp)), "of those called positive"],
      ["NPV", share(tn / (tn + fn)), "of those called negative"],
      ["Called positive", share(tp + fp), "of all cases"],
      ["Accuracy", share(tp + tn), "at this prevalence"],
      ["F score", share((2 * tp) / (2 * tp + fp + fn)), "at this prevalence"],
      ["Matthews", tp + fp > 0 && tn + fn > 0 ? mcc.toFixed(3).replace("-", "−") : "–", "correlation"],
      ["LR+", f > 0 ? short(t / f) : t > 0 ? "∞" : "–", "TPR / FPR"],
      ["Expected cost", short(cost([f, t])), "per case, in units of one false positive"],
    ];
    $("measures").replaceChildren(
      ...rows.map(([term, value, note]) => {
        const row = document.createElement("div");
        row.append(element("dt", term), element("dd", value, note));
        return row;
      }),
    );
  }

  // --- what the reader does ------------------------------------------------------------------

  let waiting = false;
  function later() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      drawThreshold();
    });
  }

  function choose(c, i) {
    const other = c !== state.score;
    Object.assign(state, { score: c, fixed: i, hover: null });
    if (other) {
      drawScore();
      drawCosts();
    } else drawThreshold();
  }

  // On another curve, the point with the nearest false positive rate.
  function likewise(c) {
    const f = rates(now(), state.fixed)[0];
    const fpr = scores[c].fp.map((x) => x / scores[c].n_neg);
    return Math.max(fpr.findIndex((x) => x >= f), 0);
  }

  const clamp = (x, most) => Math.min(Math.max(x, 0), most);
  const figure = document.querySelector('[data-chart="roc"]');

  // The point nearest to the pointer, in pixels; none if all are far away.
  function nearest(event) {
    const svg = figure.querySelector("svg");
    const view = views.roc;
    const box = svg.getBoundingClientRect();
    const scale = box.width / svg.width.baseVal.value;
    const [left, top] = view.origin();
    const pad = view.padding();
    const x = ((event.clientX - box.left) / scale - left - pad.left) / view.width();
    const y = 1 - ((event.clientY - box.top) / scale - top - pad.top) / view.height();
    let near = 0.15 ** 2;
    let found = null;
    scores.forEach((score, c) => {
      for (let i = 0; i < score.tp.length; i++) {
        const [f, t] = rates(score, i);
        const far = (f - x) ** 2 + (t - y) ** 2;
        if (far < near) [near, found] = [far, [c, i]];
      }
    });
    return found;
  }

  figure.addEventListener("pointermove", (event) => {
    state.hover = nearest(event);
    later();
  });
  figure.addEventListener("pointerleave", () => {
    state.hover = null;
    later();
  });
  figure.addEventListener("click", (event) => {
    const found = nearest(event);
    if (found) choose(...found);
  });
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    const c = clamp(state.score + step[0], scores.length - 1);
    choose(c, c === state.score ? clamp(state.fixed + step[1], now().tp.length - 1) : likewise(c));
  });
  $("which")?.addEventListener("change", (event) => choose(Number(event.target.value), likewise(Number(event.target.value))));
  $("threshold").addEventListener("input", (event) => choose(state.score, Number(event.target.value)));
  $("prevalence").addEventListener("input", (event) => {
    state.logit = Number(event.target.value);
    drawCosts();
  });
  $("ratio").addEventListener("input", (event) => {
    state.ratio = Number(event.target.value);
    drawCosts();
  });
  $("take").addEventListener("click", () => choose(state.score, best(now())[0]));
  $("reset").addEventListener("click", () => {
    Object.assign(state, { logit: null, ratio: 0, fixed: now().start });
    drawCosts();
  });
  $("copy").addEventListener("click", async () => {
    const text = $("code").textContent;
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren($("code"));
      done = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
    }
    $("copied").textContent = done;
  });

  const ready = drawScore();
  drawCosts();
  return ready;
}
