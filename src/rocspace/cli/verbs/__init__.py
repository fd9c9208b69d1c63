"""One module for each verb of the command line, and the one list of them.

The module ``rocspace.cli.verbs.auc`` has a function ``auc``, whose parameters are the options and
whose docstring, with its examples, is the help. It is imported when it is asked for.
"""

from __future__ import annotations

# Each verb, as the list of commands tells of it, and as its help begins.
VERBS = {
    "report": "Write everything about the scores to one HTML file.",
    "auc": "Print the area under the curve of each score, with its interval.",
    "curve": "Print the points of the ROC curve of each score, as csv.",
    "at": "Print what thresholds do: the confusion matrix, and rates with intervals.",
    "columns": "Print what each column of a file holds.",
    "data": "Print which data sets are bundled; their names serve as FILE.",
    "hull": "Print the convex hull of all scores: which thresholds can be optimal, and when.",
    "choose": "Print which threshold to deploy, or which mixture of two, and what to expect of it.",
    "combine": "Print the best Boolean combinations of two or more scores.",
    "compare": "Print whether scores of the same cases have different areas: paired tests.",
    "average": "Print the average ROC curve of cross-validation folds, and their mean area.",
    "band": "Print a confidence band of the ROC curve of each score.",
    "power": "Print how many cases a study needs, or how much power the cases at hand have.",
    "granular": "Print the areas of the granular ROC, where near scores count as equal.",
    "select": "Print which of several scores each measure would choose, and what that is worth.",
}
