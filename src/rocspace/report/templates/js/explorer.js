// One threshold, moved through every chart; prevalence and costs, and what is best for them.
function explorer(scores, level, charts, place) {
  const $ = (id) => document.getElementById(id);
  const chart = document.querySelector('[data-chart="roc"]');
  const tell = readout(level);
  // `picked`: the reader's threshold, or null for the one that costs least; `hover`: the one that
  // is pointed at; `prevalence`: null for that of the data; `ratio`: null for that by which the
  // largest Youden index costs least in the data, of which the first lines of the page speak.
  const state = { score: 0, picked: null, hover: null, prevalence: null, ratio: null };

  const now = () => scores[state.score];
  const use = () => ({
    prevalence: state.prevalence ?? now().prevalence,
    ratio: state.ratio ?? now().n_neg / now().n_pos,
  });
  const chosen = () => state.picked ?? cheapest(now(), use())[0];
  const at = () => state.hover ?? [state.score, chosen()];
  const clamp = (x, most) => Math.min(Math.max(x, 0), most);
  const { put } = charts;

  // --- drawing -------------------------------------------------------------------------------

  function drawScore() {
    const score = now();
    put("roc", { hull: score.hull.map((i) => pointAt(score, i)).map(([fpr, tpr]) => ({ fpr, tpr })) });
    put("det", { curve: detLine(score) });
    put("cost", { curve: costEnvelope(score) });
    $("threshold").max = score.tp.length - 1;
    if ($("which")) $("which").value = state.score;
    $("explore").className = score.style;
    const name = `score-${state.score + 1}`;
    charts.hide("histogram");
    if (!charts.spec(name)) return null;
    return charts.show(document.querySelector('[data-chart="histogram"]'), "histogram", charts.spec(name));
  }

  // The other scores, behind the chosen one.
  function drawOthers() {
    if (scores.length < 2) return;
    const all = (line) =>
      scores.flatMap((score) => coarse(line(score)).map((row) => ({ ...row, name: score.name })));
    put("pr", { others: all((score) => precisionLine(score, use())) });
    if (drawOthers.done) return;
    drawOthers.done = true;
    put("det", { others: all(detLine) });
    put("cost", { others: all(costEnvelope) });
  }

  // Everything that depends on prevalence and costs.
  function drawUse() {
    const score = now();
    const x = probabilityCost(use());
    const both = [...new Set(cheapestSaid(score, use(), $("best")))];
    const points = both.map((i) => pointAt(score, i));
    put("roc", {
      best: points.map(([fpr, tpr]) => ({ fpr, tpr })),
      line: equalCostLine(points[0], use()),
    });
    put("pr", {
      curve: precisionLine(score, use()),
      chance: [{ y: use().prevalence }],
      best: both.map((i) => precisionPoint(score, i, use())),
    });
    put("det", { best: both.map((i) => ({ x: score.det_x[i], y: score.det_y[i] })) });
    put("cost", { now: [{ x }], best: [{ x, y: normalisedCost(points[0], x) }] });
    drawOthers();
    Object.assign($("best").dataset, {
      threshold: score.exact[both[0]],
      point: both[0],
      prevalence: use().prevalence,
      ratio: use().ratio,
    });
    drawThreshold();
  }

  // Everything that depends on the threshold.
  function drawThreshold() {
    const [c, i] = at();
    const score = scores[c];
    const point = pointAt(score, i);
    put("roc", { picked: [{ fpr: point[0], tpr: point[1] }] });
    if (c === state.score) {
      const x = probabilityCost(use());
      put("pr", { picked: [precisionPoint(score, i, use())] });
      put("det", { picked: [{ x: score.det_x[i], y: score.det_y[i] }] });
      put("cost", {
        line: [{ x: 0, y: point[0] }, { x: 1, y: 1 - point[1] }],
        picked: [{ x, y: normalisedCost(point, x) }],
      });
      const bars = charts.spec(`score-${c + 1}`)?.datasets.bins ?? [];
      const where = ruleAmong(bars, score, i);
      const rule = [{ x: where, label: `${score.sign} ${score.threshold[i]}` }];
      put("histogram", { rule: Number.isFinite(where) ? rule : [] });
    }
    tell(score, i, use(), state.hover ? "where you point" : state.picked === null ? "least cost" : "yours");
    // The same text as everywhere on the page: it makes the same decisions.
    const short = plainThreshold(score, i);
    const number = short.includes("inf") ? `float("${short}")` : short;
    $("code").textContent = `${score.python}\nrs.point_at(table, ${number})`;
    $("code-shell").textContent = `${score.shell} --threshold ${short}`;
    controls.show();
  }

  function drawAll() {
    const drawn = drawScore();
    drawUse();
    return drawn;
  }

  let waiting = false;
  function later(draw) {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }

  // --- the address ---------------------------------------------------------------------------

  function remember() {
    const score = now();
    const digits = (x) => Number(x.toPrecision(6));
    place.set({
      score: state.score ? state.score + 1 : null,
      at: state.picked === null ? null : score.threshold[state.picked].replace("−", "-").replace("∞", "inf"),
      prevalence: state.prevalence === null ? null : digits(state.prevalence),
      cost: state.ratio === null ? null : digits(state.ratio),
    });
  }

  // Take over what the address says, and leave out what cannot be.
  function recall() {
    const number = (name, fits) => {
      const x = typedNumber(place.get(name) ?? "");
      return fits(x) ? x : null;
    };
    state.score = (number("score", (x) => Number.isInteger(x) && x >= 1 && x <= scores.length) ?? 1) - 1;
    state.prevalence = number("prevalence", (x) => x > 0 && x < 1);
    state.ratio = number("cost", (x) => x > 0 && x < Infinity);
    state.picked = place.get("at") === null ? null : (thresholdFor(now(), place.get("at"))?.i ?? null);
    state.hover = null;
  }

  // --- what the reader does ------------------------------------------------------------------

  function pick(c, i) {
    const other = c !== state.score;
    Object.assign(state, { score: c, picked: i, hover: null });
    controls.clear();
    remember();
    if (other) drawAll();
    else later(drawThreshold);
  }

  // Another score: at what costs least there, or, of a picked threshold, the nearest fpr.
  function turnTo(c) {
    const f = pointAt(now(), chosen())[0];
    const near = scores[c].fp.findIndex((x) => x / scores[c].n_neg >= f);
    pick(c, state.picked === null ? null : Math.max(near, 0));
  }

  function weigh(change) {
    Object.assign(state, change);
    remember();
    later(drawUse);
  }

  const controls = explorerControls({
    now: () => ({
      score: now(),
      i: at()[0] === state.score ? at()[1] : chosen(),
      use: use(),
      follows: state.picked === null,
      own: { prevalence: state.prevalence === null, ratio: state.ratio === null },
    }),
    pick: (i) => pick(state.score, i),
    follow: (yes) => pick(state.score, yes ? null : chosen()),
    weigh,
  });

  // The point nearest to the pointer; none if all are far away.
  function nearest(event) {
    const svg = chart.querySelector("svg");
    const view = charts.view("roc");
    if (!svg || !view) return null;
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
        const [f, t] = pointAt(score, i);
        const far = (f - x) ** 2 + (t - y) ** 2;
        if (far < near) [near, found] = [far, [c, i]];
      }
    });
    return found;
  }

  chart.addEventListener("pointermove", (event) => {
    state.hover = nearest(event);
    later(drawThreshold);
  });
  chart.addEventListener("pointerleave", () => {
    state.hover = null;
    later(drawThreshold);
  });
  chart.addEventListener("click", (event) => {
    const found = nearest(event);
    if (found) pick(...found);
  });
  chart.addEventListener("keydown", (event) => {
    const last = now().tp.length - 1;
    const far = Math.ceil(last / 20);
    const along = { ArrowRight: 1, ArrowLeft: -1, PageDown: far, PageUp: -far, Home: -last, End: last }[event.key];
    const other = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (along === undefined && other === undefined) return;
    event.preventDefault();
    if (along !== undefined) return pick(state.score, clamp(chosen() + along, last));
    const c = clamp(state.score + other, scores.length - 1);
    if (c !== state.score) turnTo(c);
  });
  $("which")?.addEventListener("change", (event) => turnTo(Number(event.target.value)));
  $("reset").addEventListener("click", () => {
    Object.assign(state, { prevalence: null, ratio: null });
    pick(state.score, null);
    drawUse();
  });
  copying($("copy"), $("code"), $("copied"));
  place.follow(() => {
    recall();
    remember();
    drawAll();
  });

  recall();
  remember();
  return { drawn: drawAll(), retell: drawThreshold };
}

function copying(button, code, said) {
  button.addEventListener("click", async () => {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      done = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
    }
    said.textContent = done;
  });
}
