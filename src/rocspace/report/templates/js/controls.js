// Sliders and typed numbers of the explorer: threshold, prevalence, and cost of a missed positive.
// The threshold's slider has the direction of the axis of scores: to the right they are larger.
function explorerControls({ now, pick, follow, weigh }) {
  const $ = (id) => document.getElementById(id);
  const logit = (p) => Math.log(p / (1 - p));
  const plain = (x) => String(Number(x.toPrecision(4)));

  // A slider and a field for the same number. `read` turns a text into a change or says what is wrong.
  function pair(name, slid, read) {
    const [slider, field, bad] = [$(name), $(`${name}-typed`), $(`${name}-bad`)];
    const complain = (text) => {
      bad.textContent = text;
      field.setAttribute("aria-invalid", String(text !== ""));
    };
    slider.addEventListener("input", () => {
      complain("");
      slid(Number(slider.value));
    });
    const take = () => complain(read(field.value) ?? "");
    field.addEventListener("change", take);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") take(); // also what stands there already, to keep it
      if (event.key !== "Escape") return;
      complain("");
      show(true);
    });
    return {
      complain,
      // Do not overwrite what is being typed, or what was wrong.
      show(value, text, said, force) {
        slider.value = value;
        slider.setAttribute("aria-valuetext", said);
        $(`${name}-said`).textContent = said;
        const typing = document.activeElement === field || field.getAttribute("aria-invalid") === "true";
        if (force || !typing) field.value = text;
      },
    };
  }

  const place = (score, i) => (score.sign === "≥" ? score.tp.length - 1 - i : i);
  let beyond = "";
  const threshold = pair("threshold", (value) => pick(place(now().score, value)), (text) => {
    const { score } = now();
    const found = thresholdFor(score, text);
    if (found === null) return `“${text}” is not a number. Type a threshold such as ${middle(score)}, or inf to call no case.`;
    pick(found.i);
    beyond = found.beyond > 0
      ? `This page holds ${count(score.tp.length)} of ${count(score.points)} thresholds. The nearest one is shown; ` +
        `between them lie at most ${count(found.beyond)} cases.`
      : "";
    return null;
  });
  const middle = (score) => score.threshold[Math.floor(score.threshold.length / 2)];

  const prevalence = pair("prevalence", (value) => weigh({ prevalence: 1 / (1 + Math.exp(-value)) }), (text) => {
    if (text.trim() === "") return void weigh({ prevalence: null });
    const p = typedNumber(text);
    if (!(p > 0 && p < 1)) return `“${text}” is not a prevalence. Type a number between 0 and 1, such as 0.02, or 2 %.`;
    weigh({ prevalence: p });
    return null;
  });

  const ratio = pair("ratio", (value) => weigh({ ratio: 10 ** value }), (text) => {
    if (text.trim() === "") return void weigh({ ratio: null });
    const r = typedNumber(text);
    if (!(r > 0 && r < Infinity)) return `“${text}” is not a cost. Type a number above 0, such as 10, or 1/20.`;
    weigh({ ratio: r });
    return null;
  });

  $("follow").addEventListener("change", (event) => follow(event.target.checked));

  function show(force = false) {
    const { score, i, use, follows, own } = now();
    const text = score.threshold[i];
    threshold.show(place(score, i), text, `score ${score.sign} ${text}`, force);
    $("threshold-said").textContent = beyond || `positive if score ${score.sign} ${text}`;
    $("follow").checked = follows;
    const data = own.prevalence ? ", as in the data" : "";
    prevalence.show(logit(use.prevalence), plain(use.prevalence), `${percent(use.prevalence)}${data}`, force);
    const times = use.ratio >= 1 ? general(use.ratio) : `1/${general(1 / use.ratio)}`;
    const cost = use.ratio === 1 ? "the same as a false positive" : `${times} false positive${use.ratio > 1 ? "s" : ""}`;
    const here = own.ratio ? ": negatives for each positive in the data" : "";
    ratio.show(Math.log10(use.ratio), plain(use.ratio), cost + here, force);
  }

  return {
    show,
    // A new choice: what was said of a typed number is past.
    clear() {
      beyond = "";
    },
  };
}
