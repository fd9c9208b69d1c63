"use strict";
// Numbers as people read them: the same texts as rocspace/_base/text.py.
const NOTHING = "–";
const MINUS = "−";
const SPACE = "\u202f"; // before a per cent sign

// Fixed decimals; a number exactly between two texts goes to the even one, as in Python.
function fixed(x, digits) {
  const text = Math.abs(x).toFixed(digits);
  const tail = Math.abs(x) < 1e15 ? Math.abs(x).toFixed(60).split(".")[1].slice(digits) : "";
  const odd = /^50*$/.test(tail) && Number(text.replace(".", "").slice(-1)) % 2 === 1;
  const even = odd ? (Number(text) - 10 ** -digits).toFixed(digits) : text;
  return x < 0 ? `-${even}` : even;
}

const grouped = (text) => text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
const signed = (text) => text.replace(/^-/, MINUS).replace("Infinity", "∞");

// Three decimals, near 0 and 1 more: never 1.000 for what is not 1.
function share(x, decimals = 3) {
  if (x === null || Number.isNaN(x)) return NOTHING;
  if (x === 0 || Math.abs(x) === 1) return signed(String(x));
  if (x < 0) return MINUS + share(-x, decimals);
  const rest = Math.min(x, 1 - x);
  let digits = Math.max(decimals, rest < 0.01 ? 1 - Math.floor(Math.log10(rest)) : 0);
  if (digits > 7) {
    if (rest < 1e-7) return x > 0.5 ? ">0.9999999" : "<0.0000001";
    digits = 7;
  }
  let text = fixed(x, digits);
  if (Number(text) <= 0 || Number(text) >= 1) text = fixed(x, digits + 1);
  while (text.length > decimals + 2 && text.endsWith("0")) text = text.slice(0, -1);
  return text;
}

// A number of any size with three significant digits.
function general(x) {
  if (Number.isNaN(x)) return NOTHING;
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1000) {
    const rounded = Number(x.toPrecision(3));
    const power = Math.floor(Math.log10(Math.abs(rounded)) + 1e-12);
    return signed(grouped(fixed(rounded, Number.isInteger(x) ? 0 : Math.max(2 - power, 0))));
  }
  if (size >= 1000 && size < 1e7) return signed(grouped(fixed(x, 0)));
  if (size === Infinity) return signed(String(x));
  return signed(x.toExponential(2).replace(/e([+-])(\d)$/, "e$10$2"));
}

// A count with its thousands set apart; sums of weights with one decimal if they need it.
function count(x) {
  if (Number.isNaN(x)) return NOTHING;
  if (Number.isInteger(x)) return signed(grouped(String(x)));
  return signed(Math.abs(x) >= 10 ? grouped(fixed(x, 1)) : String(Number(x.toPrecision(3))));
}

// A share as a per cent, with as many digits as it needs near 0 and 100.
function percent(x) {
  if (Number.isNaN(x)) return NOTHING;
  const rest = 100 * Math.min(x, 1 - x);
  if (Math.abs(rest) < 1e-10) return `${fixed(100 * x, 0)}${SPACE}%`;
  const digits = Math.max(1, rest < 0.1 ? -Math.floor(Math.log10(rest)) : 1);
  return `${fixed(100 * x, Math.min(digits, 6))}${SPACE}%`;
}

// --- intervals ---------------------------------------------------------------------------------

function decimalsFor(width) {
  if (!(width > 0 && width < Infinity)) return 3;
  return Math.min(Math.max(Math.ceil(-Math.log10(width)), 3), 6);
}

function ends(low, high, write) {
  let texts = [write(low), write(high)];
  for (let digits = 4; texts[0] === texts[1] && low < high && digits < 18; digits++) {
    texts = [low, high].map((x) => signed(String(Number(x.toPrecision(digits)))));
  }
  return texts.join(" to ");
}

// Both ends with as many decimals as the width justifies, more where one would look like 0 or 1.
function interval(low, high) {
  if (high - low > 0.01) {  // an end that no decimal tells from 0 or 1 is written as that, outward
    const outward = (end, near) => (Math.abs(end - near) < 1e-7 ? near : end);
    [low, high] = [outward(low, Math.floor(low)), outward(high, Math.ceil(high))];
  }
  if (!(low >= -1 && low <= high && high <= 1)) return ends(low, high, general);
  const whole = (x) => x === 0 || Math.abs(x) === 1;
  const least = decimalsFor(high - low);
  for (let digits = least; digits <= Math.max(least, 5); digits++) {
    const looksWhole = (x) => !whole(x) && whole(Number(fixed(x, digits)));
    if (looksWhole(low) || looksWhole(high)) continue;
    return ends(low, high, (x) => (whole(x) ? share(x) : signed(fixed(x, digits))));
  }
  return ends(low, high, (x) => share(x, least));
}

// An estimate and its interval, as texts.
function estimate(x, [low, high]) {
  if (Number.isNaN(x)) return [NOTHING, ""];
  return [share(x, decimalsFor(high - low)), interval(low, high)];
}
const ratio = (x, [low, high]) => (Number.isNaN(x) ? [NOTHING, ""] : [general(x), ends(low, high, general)]);

// --- what a reader typed -----------------------------------------------------------------------

// A number, or NaN: "0.5", "−2e-3", "1/20", "2 %", "inf".
function typedNumber(text) {
  const plain = text.trim().replace(/[−–]/g, "-").replace(/^[≥≤<>=]+/, "").replace(/\s+/g, "");
  const [, whole, of, per] = /^([^/%]+)(?:\/([^/%]+))?(%)?$/.exec(plain) ?? [];
  const one = (part) => {
    const infinite = /^([+-]?)(inf|infinity|∞)$/i.exec(part);
    if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part) ? Number(part) : NaN;
  };
  if (whole === undefined) return NaN;
  return (one(whole) / (of === undefined ? 1 : one(of))) / (per ? 100 : 1);
}
