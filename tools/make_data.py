"""Write the bundled data sets and the tests' reference answers from their originals.

Run from anywhere: ``python tools/make_data.py ORIGINALS``, where ORIGINALS is the folder that
holds ``data/``, ``oracle/`` and ``reference_values.json``. What is written is committed, so this is
needed only to check it, or to add to it; running it twice changes nothing.

Four sets are typed here from the papers that print them; the others are copied, byte for byte, and
the larger ones packed with gzip (no file name, no time stamp).
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "src" / "rocspace" / "datasets" / "_data"
ORACLES = ROOT / "tests" / "oracles"

COPIED = ["fawcett20", "pathology", "two_class_example"]
PACKED = {
    "adult_scores": "adult_scores",
    "hpc_cv": "hpc_cv",
    "uci_scores_open": "uci_scores",
    "wdbc": "wdbc",
}
# Class probabilities of several classifiers on the same cases, which have a file each.
MERGED = {"vehicle_scores": {"nb": "mc_vehicle_nb", "knn": "mc_vehicle_knn15"}}
# Only answers about data that is bundled, or that need no data.
ANSWERS = [
    "auc__pathology__scan",
    "auc__two_class_example__Class1",
    "big__adult",
    "big__adult_Female",
    "big__adult_Male",
    "classic__fawcett20",
    "classic__fawcett_interpolation",
    "hull_h__breast_w_knn15",
    "hull_h__sonar_nb",
    "hull_h__sonar_rf",
    "hull_h__two_class_example",
    "hull_h__vehicle_tree5",
    "mlmetrics__sonar_rf",
    "mlmetrics__two_class_example",
    "mlmetrics__vehicle_tree5",
    "multiclass__hpc_cv",
    "multiclass__vehicle_knn15",
    "multiclass__vehicle_nb",
    "pauc__two_class_example__Class1",
    "power__one_roc",
    "power__two_roc__obuchowski_params",
    "reclass__breast_w__knn15__logreg",
    "reclass__sonar__nb__rf",
    "reclass__vehicle__tree5__rf",
    "rocr__breast_w_knn15",
    "rocr__sonar_rf",
    "rocr__two_class_example",
    "rocr__vehicle_tree5",
    "rocr_avg__breast_w_nb",
    "rocr_avg__sonar_rf",
    "rocr_avg__vehicle_tree5",
    "sklearn__breast_w_knn15",
    "sklearn__sonar_rf",
    "sklearn__two_class_example",
    "sklearn__vehicle_tree5",
    "sklearn_multiclass__hpc_cv",
    "sklearn_multiclass__vehicle_knn15",
    "sklearn_multiclass__vehicle_nb",
    "sklearn_table__uci_scores_open_sets",
    "twobytwo__pathology_scan",
    "weighted__sonar__knn15",
    "weighted__vehicle__tree5",
]


# Fawcett (2006), figure 4.
FAWCETT4 = """
p .99999   p .99999   p .99993   p .99986   p .99964
p .99955   n .68139   n .50961   n .48880   n .44951
"""
# Dong, Li and Li, table 3: label, classifier a, classifier b.
GROC = """
p .9 .9     p .8 .8     n .7 .7     p .6 .6     p .55 .57
p .54 .55   n .53 .53   n .52 .51   p .51 .48   p .505 .45
n .495 .4   n .40 .38   p .38 .36   n .35 .34   n .34 .32
n .33 .30   p .32 .25   n .31 .15   p .20 .12   n .10 .1
"""
# Freireich et al. (1963): weeks in remission, with + if it lasted, and the log white blood count.
REMISSION = {
    "6-MP": """
    35+ 1.45 34+ 1.47 32+ 2.20 32+ 2.53 25+ 1.78 23 2.57
    22 2.32 20+ 2.01 19+ 2.05 17+ 2.16 16 3.60 13 2.88
    11+ 2.60 10+ 2.70 10 2.96 9+ 2.80 7 4.43 6+ 3.20
    6 2.31 6 4.06 6 3.28
    """,
    "placebo": """
    23 1.97 22 2.73 17 2.95 15 2.30 12 1.50 12 3.06
    11 3.49 11 2.12 8 3.52 8 3.05 8 2.32 8 3.26
    5 3.49 5 3.97 4 4.36 4 2.42 3 4.01 2 4.91
    2 4.48 1 2.80 1 5.00
    """,
}
# Hanley and McNeil (1982): cases rated 1 to 5, by label.
HANLEY_MCNEIL = {0: (33, 6, 6, 11, 2), 1: (3, 2, 2, 11, 33)}


def typed() -> dict[str, list[str]]:
    """Return the lines of the sets that were typed from a paper."""
    words = FAWCETT4.split()
    fawcett4 = ["label,score"]
    for label, score in zip(words[::2], words[1::2], strict=True):
        fawcett4.append(f"{int(label == 'p')},{float(score)}")
    words = GROC.split()
    groc = ["label,a,b"]
    for label, a, b in zip(words[::3], words[1::3], words[2::3], strict=True):
        groc.append(f"{int(label == 'p')},{float(a)},{float(b)}")
    hanley = ["label,rating"]
    for truth, counts in HANLEY_MCNEIL.items():
        for rating, count in enumerate(counts, start=1):
            hanley += [f"{truth},{rating}"] * count
    remission = ["relapse,weeks,treatment,log_wbc"]
    for treatment, text in REMISSION.items():
        words = text.split()
        for weeks, count in zip(words[::2], words[1::2], strict=True):
            row = f"{int('+' not in weeks)},{weeks.rstrip('+')},{treatment},{float(count)}"
            remission.append(row)
    return {
        "fawcett4": fawcett4,
        "groc_table3": groc,
        "remission": remission,
        "hanley_mcneil": hanley,
    }


def merged(parts: dict[str, str], folder: Path) -> list[str]:
    """Return the lines of files side by side: the label once, p_a as the short name and a."""
    files = {
        short: [line.split(",") for line in (folder / f"{name}.csv").read_text().splitlines()]
        for short, name in parts.items()
    }
    first = next(iter(files.values()))
    assert all([row[0] for row in rows] == [row[0] for row in first] for rows in files.values())
    heads = [f"{s}_{name.removeprefix('p_')}" for s, rows in files.items() for name in rows[0][1:]]
    lines = zip(*(rows[1:] for rows in files.values()), strict=True)
    cells = ([rows[0][0], *(cell for row in rows for cell in row[1:])] for rows in lines)
    return [",".join(row) for row in [[first[0][0], *heads], *cells]]


def main(originals: Path) -> None:
    """Write every file."""
    DATA.mkdir(parents=True, exist_ok=True)
    ORACLES.mkdir(parents=True, exist_ok=True)
    for name, lines in typed().items():
        (DATA / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    for name in COPIED:
        (DATA / f"{name}.csv").write_bytes((originals / "data" / f"{name}.csv").read_bytes())
    for old, new in PACKED.items():
        raw = (originals / "data" / f"{old}.csv").read_bytes()
        (DATA / f"{new}.csv.gz").write_bytes(gzip.compress(raw, compresslevel=9, mtime=0))
    for new, parts in MERGED.items():
        text = "\n".join(merged(parts, originals / "data")) + "\n"
        packed = gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)
        (DATA / f"{new}.csv.gz").write_bytes(packed)
    for name in ANSWERS:
        raw = (originals / "oracle" / f"{name}.json").read_bytes()
        (ORACLES / f"{name}.json").write_bytes(raw)
    reference = (originals / "reference_values.json").read_bytes()
    (ORACLES / "methods_reference.json").write_bytes(reference)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared")
