// Confidence intervals at one threshold: exact limits of both rates, and what follows from them.
// The same numbers as rocspace/inference/rates.py, which a test compares.

// Logarithm of the gamma function: Stirling's series, after steps up to where it is accurate.
function logGamma(x) {
  let shift = 0;
  for (; x < 12; x++) shift -= Math.log(x);
  const y = 1 / (x * x);
  const series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x;
  return shift + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}

// Continued fraction of the incomplete beta function, from its front (Lentz's method).
function betaFraction(x, a, b) {
  const tiny = 1e-300;
  const safe = (value) => (Math.abs(value) < tiny ? tiny : value);
  let above = 1;
  let below = 1 / safe(1 - ((a + b) * x) / (a + 1));
  let found = below;
  for (let m = 1; m < 1e5; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const step of [even, odd]) {
      below = 1 / safe(1 + step * below);
      above = safe(1 + step / above);
      found *= below * above;
    }
    if (Math.abs(below * above - 1) < 1e-14) break;
  }
  return found;
}

// Regularised incomplete beta function: the chance that a beta variable is at most x.
function betaShare(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(1 - x, b, a)) / b;
}

// Lower limit of Clopper and Pearson (1934), by halving; numbers of cases need not be whole.
function lowerLimit(successes, total, tail) {
  if (successes <= 0) return 0;
  let [low, high] = [0, Math.min(successes / total, 1)];
  for (let step = 0; step < 200 && high - low > 1e-12 * high; step++) {
    const middle = (low + high) / 2;
    if (betaShare(middle, successes, total - successes + 1) < tail) low = middle;
    else high = middle;
  }
  return low;
}

function rateLimits(successes, total, level) {
  if (!(total > 0)) return [0, 1];
  const tail = (1 - level) / 2;
  const at = Math.min(successes, total);
  return [lowerLimit(at, total, tail), 1 - lowerLimit(total - at, total, tail)];
}

// Limits of the ratio of two rates from the limits of each: Donner and Zou (2012), equation 9.
function ratioLimits([p, [pLow, pHigh]], [q, [qLow, qHigh]]) {
  if (p === 0 && q === 0) return [0, Infinity];
  const least = (a, low, b, high) => {
    const part = low * (2 * a - low);
    if (part <= 0) return 0;
    return part / (a * b + Math.sqrt(Math.max((a * b) ** 2 - part * high * (2 * b - high), 0)));
  };
  const value = q > 0 ? p / q : Infinity;
  return [
    Math.min(least(p, pLow, q, qHigh), value),
    Math.max(1 / least(q, qLow, p, pHigh), value),
  ];
}

// Rates, ratios and predictive values at a threshold, each with its limits: [value, [low, high]].
// `sizes` are effective numbers of positives and negatives; they are known apart from weights.
function certainty([fpr, tpr], sizes, prevalence, level) {
  const of = (rate, total) => [rate, rateLimits(rate * total, total, level)];
  const rest = (rate, total) => [1 - rate, rateLimits((1 - rate) * total, total, level)];
  const [pos, neg] = sizes;
  const found = { tpr: of(tpr, pos), fpr: of(fpr, neg), fnr: rest(tpr, pos), tnr: rest(fpr, neg) };
  const positive = ratioLimits(found.tpr, found.fpr);
  const negative = ratioLimits(found.fnr, found.tnr);
  const odds = prevalence / (1 - prevalence);
  const part = (x) => (x < Infinity ? x / (1 + x) : 1);
  found.lrPositive = [tpr / fpr, positive];
  found.lrNegative = [(1 - tpr) / (1 - fpr), negative];
  found.ppv = [
    (prevalence * tpr) / (prevalence * tpr + (1 - prevalence) * fpr),
    positive.map((end) => part(odds * end)),
  ];
  found.npv = [
    ((1 - prevalence) * (1 - fpr)) / ((1 - prevalence) * (1 - fpr) + prevalence * (1 - tpr)),
    [negative[1], negative[0]].map((end) => 1 / (1 + odds * end)),
  ];
  return found;
}
