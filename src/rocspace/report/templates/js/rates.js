// What follows from the counts at a threshold: rates, costs, and the points of the graphs.
// A point is [false positive rate, true positive rate]; a use has a `prevalence` and the `ratio`
// of the cost of a missed positive to that of a false positive.
"use strict";

const pointAt = (score, i) => [score.fp[i] / score.n_neg, score.tp[i] / score.n_pos];

// Expected cost of a case, a false positive costing 1.
const costOf = ([f, t], use) => (1 - use.prevalence) * f + use.prevalence * use.ratio * (1 - t);

// The share of missed positives in the cost of one error of each kind, weighted by the prevalence.
function probabilityCost({ prevalence, ratio }) {
  return (prevalence * ratio) / (prevalence * ratio + 1 - prevalence);
}
const normalisedCost = ([f, t], x) => (1 - t) * x + f * (1 - x);

// All vertices of the hull that cost least, the most conservative first.
function cheapest(score, use) {
  const costs = score.hull.map((i) => costOf(pointAt(score, i), use));
  const least = Math.min(...costs);
  return score.hull.filter((_, j) => costs[j] <= least * (1 + 1e-12) + 1e-300);
}

// A point in whole cases that add up, of so many that both classes are among them: 1,000 or more.
function inWholeCases([f, t], { prevalence: p }) {
  const whole = Math.min(10 ** Math.max(3, Math.ceil(1 - Math.log10(Math.min(p, 1 - p)))), 1e6);
  const parts = [p * t, (1 - p) * f, p * (1 - t), (1 - p) * (1 - f)].map((part) => part * whole);
  const [tp, fp, fn, tn] = apportioned(parts, whole);
  return { whole, tp, fp, fn, tn, missed: parts[2] };
}

// Whole numbers for parts that add up to a whole number, by the largest rest; of equal rests, which
// rounding must not tell apart, by the first.
function apportioned(shares, whole) {
  const parts = shares.map((part) => Number(part.toFixed(6)));
  const found = parts.map(Math.floor);
  const order = parts.map((part, i) => [found[i] - part, i]).sort(([a], [b]) => a - b);
  const rest = whole - found.reduce((sum, n) => sum + n, 0);
  for (const [, i] of order.slice(0, rest)) found[i] += 1;
  return found;
}

// The ratio of costs at which a threshold becomes as cheap as calling all cases alike, where that
// is cheapest now; null where it is not.
function payingRatio(score, use) {
  const { prevalence: p } = use;
  const found = cheapest(score, use);
  const calls = (i) => score.tp[i] + score.fp[i];
  const nobody = calls(found[0]) === 0;
  if (!nobody && calls(found.at(-1)) < score.n_pos + score.n_neg) return null;
  const [f, t] = pointAt(score, score.hull.at(nobody ? 1 : -2));
  return nobody ? ((1 - p) * f) / (p * t) : ((1 - p) * (1 - f)) / (p * (1 - t));
}

// --- graphs --------------------------------------------------------------------------------------

// Precision at the prevalence of the use.
function precision([f, t], { prevalence }) {
  const right = prevalence * t;
  return right / (right + (1 - prevalence) * f);
}
function precisionPoint(score, i, use) {
  const point = pointAt(score, i);
  const y = point[0] + point[1] > 0 ? precision(point, use) : precision(pointAt(score, 1), use);
  return { x: point[1], y };
}

// Between two points false and true positives grow in proportion, so precision follows a
// hyperbola, drawn in steps where the gap is wide.
function precisionLine(score, use) {
  const rows = [];
  for (let i = 1; i < score.tp.length; i++) {
    const [a, b] = [pointAt(score, i - 1), pointAt(score, i)];
    const wide = Math.max(score.straight ? 0 : Math.ceil(20 * (b[1] - a[1])), 1);
    for (let step = 1; step <= wide; step++) {
      const part = step / wide;
      const point = [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
      rows.push({ x: point[1], y: precision(point, use), i: rows.length });
    }
  }
  if (rows.length) rows.unshift({ x: 0, y: rows[0].y, i: -1 });
  return rows;
}

const detLine = (score) => score.det_x.map((x, i) => ({ x, y: score.det_y[i], i }));

// The lower envelope of the cost lines: its corners are where one vertex takes over.
function costEnvelope(score) {
  const order = [...score.hull].reverse().map((i) => pointAt(score, i)); // the most liberal first
  const corners = [0, 1];
  for (let j = 1; j < order.length; j++) {
    const [[f1, t1], [f0, t0]] = [order[j - 1], order[j]];
    corners.push((f1 - f0) / (f1 - f0 + (t1 - t0)));
  }
  return corners
    .sort((a, b) => a - b)
    .map((x, i) => ({ x, y: Math.min(...order.map((point) => normalisedCost(point, x))), i }));
}

// Where the line of equal cost through a point enters and leaves the unit square.
function equalCostLine([f, t], { prevalence, ratio }) {
  const slope = (1 - prevalence) / (prevalence * ratio);
  const ends = [[0, t - f * slope], [1, t + (1 - f) * slope]];
  if (ends[0][1] < 0) ends[0] = [f - t / slope, 0];
  if (ends[1][1] > 1) ends[1] = [f + (1 - t) / slope, 1];
  return ends.map(([fpr, tpr]) => ({ fpr, tpr }));
}

// Points of a line that the eye can tell apart: a score in the background needs no more.
function coarse(rows, step = 0.004) {
  let last = rows[0];
  return rows.filter((row, i) => {
    const kept = i === 0 || i === rows.length - 1 ||
      Math.abs(row.x - last.x) + Math.abs(row.y - last.y) >= step;
    if (kept) last = row;
    return kept;
  });
}

// --- thresholds ------------------------------------------------------------------------------------

// The text of a threshold, as code has it.
const plainThreshold = (score, i) => score.threshold[i].replace(/−/g, "-").replace("∞", "inf");
const numberOf = (text) => Number(text.replace("inf", "Infinity"));

// Where a threshold is drawn among bars, each of which holds its lower edge: at the edge nearest to
// it that divides the cases alike, or else where its text is, which need not be at a score.
function ruleAmong(bars, score, i) {
  const own = numberOf(score.exact[i]);
  const beyond = score.next?.[i] ?? score.exact[i + 1] ?? (score.sign === "≥" ? "-inf" : "inf");
  const ends = [own, numberOf(beyond)];
  const alike = bars.map((bar) => bar.from)
    .filter((edge) => Math.min(...ends) < edge && edge <= Math.max(...ends));
  if (!alike.length || !Number.isFinite(own)) return numberOf(plainThreshold(score, i));
  return alike.reduce((a, b) => (Math.abs(b - own) < Math.abs(a - own) ? b : a));
}

// The drawn threshold that calls the same cases positive as a number, or the nearest one.
// `beyond`: by how many cases they differ at most, where the page does not hold every threshold;
// `next` has the score that follows each threshold there.
function thresholdFor(score, text) {
  const plain = text.trim().replace(/^[≥≤]\s*/, "").replace(/-/g, "−");
  const known = [score.threshold, score.exact.map((each) => each.replace(/-/g, "−"))]
    .map((texts) => texts.indexOf(plain)).find((i) => i >= 0);
  if (known !== undefined) return { i: known, beyond: 0 };
  const x = typedNumber(text);
  if (Number.isNaN(x)) return null;
  const way = score.sign === "≥" ? 1 : -1; // thresholds fall along the curve, or rise
  const at = (i) => way * numberOf(score.exact[i]);
  let [first, last] = [0, score.exact.length - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if (at(middle) >= way * x) first = middle;
    else last = middle - 1;
  }
  const next = Math.min(first + 1, score.exact.length - 1);
  const alike = score.next === null || way * x > way * numberOf(score.next[first]);
  if (alike || at(first) === way * x || next === first) return { i: first, beyond: 0 };
  const beyond = score.tp[next] + score.fp[next] - score.tp[first] - score.fp[first];
  const near = way * x - at(next) < at(first) - way * x ? next : first;
  return { i: near, beyond };
}
