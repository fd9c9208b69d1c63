// Bands by method, curves by granularity, folds: whatever the reader chooses of a score.
function uncertainty(known, scores, { put }) {
  const $ = (id) => document.getElementById(id);
  const state = { score: 0, method: 0, step: Number($("delta")?.value ?? 0) };
  const now = () => known[state.score];

  const rows = (points, more) => points.map(([x, y], i) => ({ x, y, i, ...more }));
  const region = (low, high) => rows([...low, ...[...high].reverse()]);
  const curve = () => {
    const score = scores[state.score];
    return rows(score.fp.map((f, i) => [f / score.n_neg, score.tp[i] / score.n_pos]));
  };

  function say(id, pairs) {
    $(id).replaceChildren(
      ...pairs.flatMap(([term, text]) => ["dt", "dd"].map((tag, i) =>
        Object.assign(document.createElement(tag), { textContent: i ? text : term }))),
    );
  }

  function drawBand() {
    const band = now().bands[state.method];
    put("bands", { region: region(band.low, band.high), curve: curve() });
    say("band-said", band.error ? [["No such band", band.error]] : band.rows);
  }

  function drawGranular() {
    const found = now().granular;
    if (!$("granular")) return;
    $("granular").hidden = !found;
    $("delta").disabled = !found;
    if (!found) return;
    const at = found.curves[state.step];
    put("granular", { curve: curve(), low: rows(at.low), high: rows(at.high) });
    put("granular-areas", {
      low: rows(found.areas.map(([x, low]) => [x, low])),
      high: rows(found.areas.map(([x, , high]) => [x, high])),
      now: at.share > 0 ? [{ x: at.share }] : [],
    });
    const said = at.share ? `${at.delta}, ${100 * at.share}\u202f% of the range` : "0: every score counts";
    $("delta-said").textContent = said;
    $("delta").setAttribute("aria-valuetext", said);
    $("delta").value = state.step;
    say("granular-said", [["Upper area", at.area_high], ["Area", found.auc], ["Lower area", at.area_low]]);
  }

  function drawFolds() {
    const found = now().folds;
    if (!found) return put("folds", { region: [], each: [], average: [] });
    put("folds", {
      region: region(found.low, found.high),
      each: found.curves.flatMap((points, fold) => rows(points, { fold })),
      average: rows(found.average),
    });
  }

  function draw() {
    $("uncertain").className = scores[state.score].style;
    drawBand();
    drawGranular();
    drawFolds();
  }

  $("uncertain-score")?.addEventListener("change", (event) => {
    state.score = Number(event.target.value);
    draw();
  });
  $("band-method").addEventListener("change", (event) => {
    state.method = Number(event.target.value);
    drawBand();
  });
  $("delta")?.addEventListener("input", (event) => {
    state.step = Number(event.target.value);
    drawGranular();
  });
  draw();
}
