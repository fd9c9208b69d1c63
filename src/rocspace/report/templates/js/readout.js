// What one threshold does, in words and numbers.
function readout(level) {
  const $ = (id) => document.getElementById(id);

  function element(tag, text, ...small) {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const note of small) if (note) made.append(" ", element("small", note));
    return made;
  }

  // "Of 1,000 cases, 356 are called positive, 211 of them rightly; 30 positives are missed."
  function sentence({ whole, tp, fp, fn, missed }) {
    const called = tp + fp
      ? `${count(tp + fp)} ${tp + fp === 1 ? "is" : "are"} called positive, ${count(tp)} of them rightly and ${count(fp)} wrongly`
      : "none is called positive";
    return `Of ${count(whole)} cases, ${called}; ${fn || !missed ? count(fn) : "fewer than one"} positive${fn === 1 ? " is" : "s are"} missed.`;
  }

  function rates(score, i, use, whose) {
    const of = certainty(pointAt(score, i), score.sizes, use.prevalence, level);
    const cases = (n, all, kind) => `${count(n)} of ${count(all)} ${kind}`;
    const { tp, fp, n_pos, n_neg } = score;
    const negatives = bySpecificity()
      ? ["Specificity", of.tnr, cases(n_neg - fp[i], n_neg, "negatives")]
      : ["FPR", of.fpr, cases(fp[i], n_neg, "negatives")];
    const list = document.createElement("dl");
    const nobody = /∞$/.test(score.threshold[i]) && tp[i] + fp[i] === 0;
    list.append(
      element("dt", "Threshold"),
      element("dd", `${score.sign} ${score.threshold[i]}`, nobody ? "no case" : ""),
    );
    for (const [term, [value, limits], note] of [
      [bySpecificity() ? "Sensitivity" : "TPR", of.tpr, cases(tp[i], n_pos, "positives")],
      negatives,
      ["Precision (PPV)", of.ppv, "of those called positive"],
      ["NPV", of.npv, "of those called negative"],
    ]) {
      const [said, between] = estimate(value, limits);
      list.append(element("dt", term), element("dd", said, between, note));
    }
    const who = element("p", score.name, [whose, i === score.youden ? "largest Youden index" : ""].filter(Boolean).join(", "));
    who.className = "who";
    const told = element("p", sentence(inWholeCases(pointAt(score, i), use)));
    told.className = "told";
    $("readout").replaceChildren(who, told, list);
    return of;
  }

  function matrix(score, i, use) {
    const [tp, fp] = [score.tp[i], score.fp[i]];
    const cells = { tp, fp, fn: score.n_pos - tp, tn: score.n_neg - fp };
    const there = inWholeCases(pointAt(score, i), use);
    for (const [name, n] of Object.entries(cells)) {
      $(`cell-${name}`).replaceChildren(count(n), element("small", count(there[name])));
    }
    $("whole").textContent = count(there.whole);
  }

  function measures([f, t], use, of) {
    const p = use.prevalence;
    const [tp, fp, fn, tn] = [p * t, (1 - p) * f, p * (1 - t), (1 - p) * (1 - f)];
    const mcc = (tp * tn - fp * fn) / Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn));
    const here = "at this prevalence";
    const rows = [
      ["LR+", ...ratio(...of.lrPositive), bySpecificity() ? "sensitivity / (1 − specificity)" : "TPR / FPR"],
      ["LR−", ...ratio(...of.lrNegative), bySpecificity() ? "(1 − sensitivity) / specificity" : "FNR / TNR"],
      ["Called positive", share(tp + fp), "of all cases"],
      ["Accuracy", share(tp + tn), here],
      ["F score", share((2 * tp) / (2 * tp + fp + fn)), here],
      ["Matthews", tp + fp > 0 && tn + fn > 0 ? share(mcc) : NOTHING, "correlation"],
      ["Youden J", share(t - f), bySpecificity() ? "sensitivity + specificity − 1" : "TPR − FPR"],
      ["Expected cost", general(1000 * costOf([f, t], use)), "false alarms per 1,000 cases, a miss counted by its cost"],
    ];
    $("measures").replaceChildren(
      ...rows.map(([term, value, ...notes]) => {
        const row = document.createElement("div");
        row.append(element("dt", term), element("dd", value, ...notes));
        return row;
      }),
    );
  }

  return (score, i, use, whose) => {
    const of = rates(score, i, use, whose);
    matrix(score, i, use);
    measures(pointAt(score, i), use, of);
  };
}

// What is best at the chosen prevalence and costs.
function cheapestSaid(score, use, node) {
  const found = cheapest(score, use);
  const [first, last] = [found[0], found.at(-1)];
  const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
  const rule = (i) => `score ${score.sign} ${score.threshold[i]}`;
  const calls = (i) => score.tp[i] + score.fp[i];
  const turn = payingRatio(score, use);
  const said = (i) => (calls(i) === 0 ? "call no case positive"
    : calls(i) === score.n_pos + score.n_neg ? "call every case positive" : rule(i));
  const thousand = (point) => general(1000 * costOf(point, use));
  const parts = ["Least cost: ", strong(said(first))];
  if (first !== last) parts.push(" or, as cheap, ", strong(said(last)), ", or any mixture of the two");
  parts.push(
    `. Expected cost per 1,000 cases: that of ${thousand(pointAt(score, first))} false alarms ` +
      `(calling no case positive: ${thousand([0, 0])}; every case: ${thousand([1, 1])}).`,
  );
  if (turn !== null && turn > 0 && turn < Infinity) {
    const [whom, side] = calls(first) === 0 ? ["call", "more"] : ["spare", "less"];
    const ratio = general(turn);
    const worth = `${ratio} false positive${ratio === "1" ? "" : "s"}`;
    parts.push(` It pays to ${whom} some cases where a missed positive costs ${side} than ${worth}.`);
  }
  node.replaceChildren(...parts);
  return [first, last];
}
