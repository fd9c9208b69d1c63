"""One module for each verb of the command line, and the one list of them.

The module ``rocspace.cli.verbs.auc`` has a function ``auc``, whose parameters are the options and
whose docstring, with its examples, is the help. It is imported when it is asked for.
"""

from __future__ import annotations

# Each verb with its line in the list of commands, which is also the first line of its help.
VERBS = {
    "report": "Write everything about the scores to one HTML file.",
    "serve": "Open a page in the browser: drop a file, and see its report.",
    "auc": "Print the area under the curve of each score, with its interval.",
    "merge": "Add up saved counts of several days or sites, and print the areas of all cases.",
    "curve": "Print the points of the ROC curve of each score, as csv.",
    "at": "Print the confusion matrix and rates with intervals at given thresholds.",
    "columns": "Print what each column of a file holds.",
    "data": "List the bundled data sets, whose names can be given as FILE.",
    "hull": "Print the convex hull of all scores: the thresholds that can be optimal.",
    "choose": "Print the best threshold, or mixture of two, and its expected performance.",
    "combine": "Print the best Boolean combinations of two or more scores.",
    "compare": "Compare the areas of scores of the same cases by paired tests.",
    "covariates": "Print areas among cases of the same age, sex or site, and compare scores.",
    "survival": "Print the areas of scores at given times, for events that come later.",
    "verification": "Print the areas of all cases, where the truth was looked up for some.",
    "noise": "Print the areas of the true classes, where a share of the labels is wrong.",
    "posterior": "Print how probable it is that one score is better, or that an area is large.",
    "bootstrap": "Print bootstrap intervals of areas, rates and chosen thresholds.",
    "average": "Print the average ROC curve of cross-validation folds, and their mean area.",
    "band": "Print a confidence band of the ROC curve of each score.",
    "fit": "Print smooth curves fitted to each score, and which of them to take.",
    "power": "Print how many cases a study needs, or how much power the cases at hand have.",
    "granular": "Print the areas of the granular ROC, where close scores are indistinguishable.",
    "select": "Print which of several scores each measure chooses, and how well the choice does.",
    "rank": "Print which of very many columns tell the classes apart, the smallest p value first.",
    "completion": "Print a script by which the shell completes verbs, options, values and files.",
}
