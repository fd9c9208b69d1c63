"""What newcomers from other programs type first, and the line to write."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise

from rocspace.cli.misfits import to_repeat

# --- verbs ------------------------------------------------------------------------------------

_AUC = "rocspace auc FILE"
_COMPARE = "rocspace compare FILE"
_AT = "rocspace at FILE --threshold 0.5"
_BEST = "rocspace choose FILE, or for a criterion: rocspace at FILE --criterion youden"
_REPORT = "rocspace report FILE"
_CURVE = "rocspace curve FILE"
_VERBS: Mapping[str, tuple[str, ...]] = {
    "rocspace auc FILE (it prints KS and Gini, too)": (
        *("ks", "ks-stat", "ks-test", "kolmogorov-smirnov", "somers-d"),
    ),
    "rocspace compare FILE for each reader; nothing here takes readers for a sample": (
        *("mrmc", "readers", "multireader", "obuchowski"),
    ),
    "rocspace compare FILE for each data set; average ranks over data sets are "
    "scipy.stats.rankdata": ("friedman", "ranks", "average-ranks", "nemenyi", "wilcoxon"),
    _AUC: ("roc", "auroc", "roc-auc", "roc-auc-score", "area", "gini", "score", "ci", "ci-auc"),
    _COMPARE: ("roc-test", "test", "delong", "delong-test", "difference"),
    _AT: (
        *("confusion", "confusion-matrix", "classification-report", "metrics", "sensitivity"),
        *("specificity", "precision", "recall", "f1", "accuracy", "ci-thresholds", "predict"),
    ),
    _BEST: (
        "coords",
        "best",
        "threshold",
        "thresholds",
        "cutoff",
        "cutpoint",
        "optimal",
        "youden",
        "cutpointr",
        *("cutpoints", "cutoffs", "optimal-cutpoints", "optimalcutpoints", "threshold-tuning"),
    ),
    "rocspace at FILE --on-curve-fpr 0.1 (a specificity of 0.9)": ("ci-se",),
    "rocspace at FILE --on-curve-tpr 0.9 (a sensitivity of 0.9)": ("ci-sp",),
    f"{_REPORT} (it has this graph, too)": (
        *("plot", "pr", "precision-recall", "average-precision", "calibration", "brier", "det"),
        *("lift", "gains", "cost", "decision-curve", "explain", "summary", "pr-curve"),
        *("calibrate", "calibration-curve", "net-benefit", "cost-curve", "det-curve", "prg"),
        *("prc", "prcurve", "auprc", "precision-recall-curve", "dca", "histogram", "figure"),
        *("decision", "decisions", "decision-curve-analysis", "hosmer-lemeshow"),
    ),
    _CURVE: ("roc-curve", "points", "ggroc", "export"),
    "rocspace fit FILE": ("smooth", "binormal", "model"),
    "rocspace band FILE": ("ci-roc", "bands", "confidence-band"),
    "rocspace compare FILE --margin 0.02": ("noninferiority", "non-inferiority", "equivalence"),
    "rocspace power --area 0.8": (
        *("sample-size", "samplesize", "power-roc-test", "design", "plan", "n", "size"),
    ),
    "rocspace survival FILE --time days --status dead --at 365": (
        *("timeroc", "time-roc", "survivalroc", "time-dependent", "km", "cox", "concordance"),
    ),
    "rocspace verification FILE, with an empty label where the truth is not known": (
        *("verify", "verification-bias", "partial-verification"),
    ),
    "rocspace covariates FILE --covariate age": ("covariate", "adjust", "adjusted", "aroc"),
    "rocspace average FILE --fold fold": ("cv", "folds", "cross-validation", "cvauc"),
    "rocspace bootstrap FILE": ("boot", "resample", "ci-coords", "threshold-ci"),
    "rocspace columns FILE": ("schema", "head", "describe", "info", "inspect"),
    "rocspace data": ("list", "datasets", "ls"),
    "rocspace serve": ("web", "app", "ui", "dashboard", "gui", "open"),
    "rocspace --version": ("version",),
    "rocspace auc FILE --json, which has the standard error (se)": ("var", "variance", "se"),
    "rocspace compare FILE --json, which has the correlation of each pair": ("cov", "covariance"),
    "rocspace auc FILE, with a column of scores for each class": (
        *("multiclass", "multiclass-roc", "multi-class"),
    ),
    "rocspace merge STATE STATE, or to read several files as one: rocspace auc FILE FILE": (
        *("add", "pool", "concat"),
    ),
}
_VERB = {word: line for line, words in _VERBS.items() for word in words}
_IN_PYTHON: Mapping[str, tuple[str, ...]] = {
    "rocspace.bands.pr_band(table)": ("pr-band",),
    'rocspace.compare.superiority_test(auc_difference(data, "new", "old"), 0.05)': ("superiority",),
    "rocspace.models.fit_summary_roc(tp, fp, fn, tn)": (
        *("meta", "meta-analysis", "sroc", "hsroc", "reitsma"),
    ),
    "rocspace.compare.reclassification(data)": ("nri", "idi", "reclassification"),
    "rocspace.costs.expected_performance(table, later)": ("epc", "expected-performance"),
    "rocspace.costs.h_measure(table)": ("hmeasure", "h-measure"),
    "rocspace.costs.brier_curve(table)": ("brier-curve",),
    "rocspace.curves.auprg(table)": ("auprg", "prg-area"),
    "rocspace.costs.log_loss_estimate(table)": ("log-loss", "logloss", "cross-entropy"),
    "rocspace.costs.rate_driven_curve(table)": ("kendall", "rate-driven"),
    "rocspace.costs.relative_value_curve(table)": ("relative-value",),
    "rocspace.curves.two_cut_roc(table)": ("two-cut", "two-cuts", "nsroc"),
}
_CALL = {word: line for line, words in _IN_PYTHON.items() for word in words}


def verb_meant(word: str) -> str:
    """Return the line to write in place of an unknown verb, or nothing."""
    if call := _CALL.get(_plain(word)):
        return f"There is no command {word!r}. In Python write: {call}."
    line = _VERB.get(_plain(word))
    return f"There is no command {word!r}. Write: {line}." if line else ""


# --- options ----------------------------------------------------------------------------------

_FIGURE = "Write: --figure roc.svg."
_LEVEL = "An interval is always printed; its level is --level 0.95."
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "Write: --label COLUMN.": (
        "y-true",
        "response",
        "target",
        "truth",
        "gold",
        "labels",
        "outcome",
        *("y", "l"),
    ),
    "A file is read whole; choose rows before, as in: awk, duckdb or csvgrep ... | rocspace auc -. "
    "Each group of cases has a row with --by COLUMN.": (
        *("where", "filter", "query", "rows", "subset"),
    ),
    "The points of a curve are csv: rocspace curve FILE. Tables are --to md, latex or html, "
    "numbers --json.": ("csv", "tsv", "parquet", "to-csv"),
    "There is nothing more to say; --quiet says less.": (
        "verbose",
        "v",
        "vv",
        "debug",
        "log-level",
    ),
    "Write: --score COLUMN.": (
        *(
            "y-score",
            "y-pred",
            "predictor",
            "prediction",
            "predictions",
            "marker",
            "pred",
            "scored",
        ),
        *("probability", "column", "model", "models", "s"),
    ),
    "Write: --positive VALUE.": (
        *("pos", "pos-label", "positive-label", "case", "event", "levels"),
    ),
    "Write: --weight COLUMN.": ("sample-weight", "weights"),
    _LEVEL: ("ci", "conf-level", "conf", "confidence", "conf-int", "alpha"),
    "Higher scores are more positive; write --lower-is-positive NAME where lower ones are. Nothing "
    "is turned by itself; rocspace rank FILE shows in which direction each column is better.": (
        *("direction", "higher-is-positive", "reverse", "invert", "auto", "auto-direction"),
    ),
    "Write: rocspace choose FILE --cost-fn 5, and --cost-fp if it is not 1.": (
        *("fn", "fp", "cost", "costs", "fn-cost", "fp-cost", "false-negative", "false-positive"),
    ),
    "Files that Spark, Dask or DuckDB wrote are read as they are, folders too: rocspace auc "
    "FOLDER. Their frames are counted where they are, in Python: "
    'rocspace.tabulate_frame(df, label="y", score="s").': (
        *("spark", "dask", "duckdb", "master", "engine", "distributed", "cluster-url"),
    ),
    "Areas are exact unless scores are too many to keep apart; how far they may then be off is "
    "--tolerance, as in rocspace auc FILE --tolerance 1e-4.": (
        *("approx", "approximate", "approximation", "num-bins", "numbins", "bins", "epsilon"),
        *("relative-error", "error", "accuracy", "rsd", "max-error", "sketch", "digits"),
    ),
    "Write: rocspace auc FILE --fpr 0 0.1, or --tpr 0.9 1.": (
        "partial",
        "partial-auc",
        "pauc",
        "max-fpr",
    ),
    "Write: rocspace power --area 0.8.": ("auc", "effect-size"),
    "Write: rocspace at FILE --youden, or --criterion NAME.": ("best", "best-method", "youden"),
    "Write: rocspace at FILE --threshold 0.5.": ("threshold", "cutoff", "cut"),
    "A sensitivity is a true positive rate. Write: rocspace at FILE --tpr 0.9 for a threshold, or "
    "--on-curve-tpr 0.9 for the curve.": ("sensitivity", "recall", "sens", "se"),
    "A specificity of 0.9 is a false positive rate of 0.1. Write: rocspace at FILE --fpr 0.1 for a "
    "threshold, or --on-curve-fpr 0.1 for the curve.": ("specificity", "spec", "sp", "tnr"),
    "Write: rocspace choose FILE --criterion youden --cost-fn 5 --prevalence 0.2.": (
        *("best-weights", "bestweights", "youden-weights"),
    ),
    "Write: rocspace choose FILE --criterion youden --smooth 5, with so many degrees of freedom.": (
        *("spline", "spar", "df", "degrees", "smoothing", "loess", "gam"),
    ),
    "Write: rocspace choose FILE --min-tpr 0.9.": ("min-sensitivity", "min-recall"),
    "Write: rocspace choose FILE --max-fpr 0.1.": ("min-specificity", "max-false-positive-rate"),
    "These intervals need no bootstrap. Write: rocspace bootstrap FILE --statistic auc.": (
        *("boot-n", "n-boot", "bootstrap", "boot", "n-bootstrap"),
    ),
    "The variance is DeLong's; another is --variance, another interval --scale.": ("ci-method",),
    "Scores of one file are compared as paired; groups of cases by --by COLUMN.": (
        *("paired", "unpaired", "independent"),
    ),
    "Classes are resampled apart by default; the other scheme is --scheme unstratified.": (
        *("stratified", "boot-stratified", "unstratified", "stratify"),
    ),
    "Write: rocspace compare FILE --margin 0.02, which tests non-inferiority and equivalence.": (
        *("noninferiority", "non-inferiority", "equivalence", "tost", "margin"),
    ),
    "Write: --by COLUMN.": ("group-by", "groupby", "group", "groups", "strata", "subgroup", "per"),
    "Write: --cluster COLUMN.": ("patient", "subject", "id", "cluster-id", "clusters"),
    "Several classes are recognised by a column of scores for each: --score 'p_*'.": (
        *("average", "multi-class", "multiclass", "ovr", "ovo"),
    ),
    "Write: --json, or --brief for one line.": (
        *("output-format", "jsonl", "ndjson", "json-lines", "compact", "short", "oneline"),
    ),
    _FIGURE: ("plot", "png", "pdf", "svg", "fig", "plot-file", "save-plot"),
    "Write: rocspace serve.": ("open", "show", "browser", "interactive", "web"),
    "Write: --output FILE.": ("out", "outfile", "o", "out-file"),
    "Write: --quiet.": ("q", "silent", "no-progress"),
    "A file that is there is replaced without it. Leave it out.": (
        *("force", "overwrite", "f", "yes", "replace"),
    ),
    "Write: rocspace auc FILE --save-state FILE for counts to be merged, or --output FILE for what "
    "is printed.": ("save", "state", "dump"),
    "Write: rocspace choose FILE --max-selected 500 --of CASES.": (
        *("top", "top-k", "topk", "k", "budget", "capacity", "max-selected", "selected", "max-k"),
    ),
    "The file goes without a name: rocspace auc FILE.": ("file", "input", "path", "data", "i"),
    "Write: --separator ';'.": ("sep", "delimiter", "delim", "sep-char"),
    "Decimal commas are recognised, where the separator is not a comma. Leave it out.": (
        *("decimal", "dec", "decimal-comma", "decimals"),
    ),
    "Text is UTF-8. In Excel save the sheet as 'CSV UTF-8', or convert the file: iconv -f "
    "WINDOWS-1252 -t UTF-8.": ("encoding", "charset", "enc"),
    "Write: --missing omit, and --null TEXT for a text that means a missing value.": (
        *("na", "na-rm", "na-values", "dropna", "skip-missing", "ignore-missing", "nan"),
    ),
    "The first line of a text file names its columns; write one.": (
        *("no-header", "header", "noheader", "skiprows", "names"),
    ),
    "A criterion is that of a threshold: rocspace at FILE --criterion f1. Measures that rank "
    "scores: rocspace select FILE --measure NAME.": ("metric", "metrics", "scoring", "measures"),
    "Write: --to latex, md or html.": ("latex", "markdown", "md", "html", "tex", "table"),
    "Write: --fail-below 0.8.": ("min-auc", "fail-under", "assert", "gate", "require", "fail-if"),
    "Write: --fold COLUMN, as in rocspace average FILE --fold fold.": ("cv", "n-folds", "split"),
}
_OPTION = {word: line for line, words in _OPTIONS.items() for word in words}
_BY_BOOTSTRAP = "By the bootstrap: rocspace bootstrap FILE --statistic auc."
_TEST = (
    "The test is paired, of DeLong's kind; pROC's z test is --distribution normal. " + _BY_BOOTSTRAP
)
_OF_METHOD = {
    "auc": "The variance is DeLong's; another is --variance, another interval --scale. "
    + _BY_BOOTSTRAP,
    "compare": _TEST,
    "at": "Intervals of rates are --interval, thresholds by a criterion --criterion, smoothed by "
    "--smooth 5.",
    "choose": "Write: --criterion NAME, smoothed by --smooth 5, or costs: --cost-fn 5.",
}


_PLANNED = {  # what is asked of a plan, and is planned in Python only
    "margin": "Non-inferiority is planned in Python: rocspace.planning.plan_difference(0.8, 0.8, "
    "null_difference=-0.05).for_power(0.8, alternative='greater').",
    "sensitivity": "A rate is planned in Python: rocspace.planning.plan_rate(0.9, null_rate=0.8)"
    ".for_power(0.8), or .for_width(0.05).",
}
_OF_VERB = {  # what an option means to those who give it to one verb
    **{
        ("power", key): _PLANNED["margin"]
        for key in ("margin", "noninferiority", "non-inferiority", "equivalence", "tost")
    },
    **{
        ("power", key): _PLANNED["sensitivity"]
        for key in ("sensitivity", "sens", "recall", "tpr", "specificity", "spec", "tnr", "rate")
    },
    **{
        ("power", key): "Write: --n-pos 40, the number of positives, and --ratio, the negatives "
        "for each."
        for key in ("n", "cases", "ncases", "n-cases", "controls", "ncontrols", "n-neg")
    },
    **{
        ("verification", key): "The label says who was verified: it is empty where the truth is "
        "not known."
        for key in ("verified", "verification", "selected", "observed", "known")
    },
    **{
        ("choose", key): "A sensitivity is a true positive rate. Write: --min-tpr 0.9."
        for key in ("sensitivity", "recall", "sens", "se", "tpr")
    },
    **{
        ("choose", key): "A specificity of 0.9 is a false positive rate of 0.1. Write: --max-fpr "
        "0.1."
        for key in ("specificity", "spec", "sp", "tnr")
    },
    ("survival", "event"): "Write: --status COLUMN, and --cause where the event is not 1.",
    **{
        ("survival", key): "Write: --at 365,730, the times at which areas are wanted."
        for key in ("times", "horizon", "horizons", "eval-times", "predict-time")
    },
    **{
        ("noise", key): "Write: --wrong-negatives 0.1, a share of the labels that are wrong, or "
        "--wrong-positives."
        for key in ("noise", "rate", "error", "error-rate", "share", "flip", "flipped")
    },
}


def option_meant(verb: str, option: str) -> str:
    """Return what to write in place of an unknown option, or nothing."""
    name = _plain(option.partition("=")[0])
    line = _OF_METHOD.get(verb) if name == "method" else _OPTION.get(name)
    line = _OF_VERB.get((verb, name), line)
    if (verb, name) == ("compare", "test"):
        line = _TEST
    if name == "by":
        line = "Groups are of rocspace auc FILE --by COLUMN, of compare and choose."
    return f"rocspace {verb} has no {option.partition('=')[0]}. {line}" if line else ""


def too_many(
    words: Sequence[str], unused: Sequence[str], options: Mapping[str, tuple[int, bool, str]]
) -> str:
    """Return how to give an option the words that are left after it, or nothing.

    Of each option it is told how many words it takes, whether it can be repeated, and its help.
    """
    places = [i for i, word in enumerate(words) if word.partition("=")[0] in options]
    for start, end in pairwise([*places, len(words)]):
        option, equals, value = words[start].partition("=")
        values = [*([value] if equals else []), *words[start + 1 : end]]
        n, repeated, says = options[option]
        if not n or len(values) <= n or unused[0] not in values[n:]:
            continue
        if repeated:
            return to_repeat(option, values)
        if "commas between" in says:
            line = ",".join(values).replace(",,", ",")
            return f"Give {option} several values with commas between: {option} {shlex.quote(line)}"
        if n > 1:
            return f"{option} takes {n} values, not {len(values)}: {' '.join(values)}"
        line = f"{option} {shlex.quote(' '.join(values))}"
        return f"{option} takes one value. Put a value with spaces in quotes: {line}"
    return ""


def _plain(word: str) -> str:
    return word.lower().lstrip("-").replace("_", "-").replace(".", "-")
