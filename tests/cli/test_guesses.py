"""First guesses of users of other programs are answered with the line to write."""

import importlib
import shlex

import pytest

import rocspace as rs
from commands import Run
from rocspace.cli import guesses
from rocspace.cli.verbs import VERBS

ANSWERS = [  # what is typed, by whom, and what the answer says
    # scikit-learn
    ("roc_auc_score fawcett20", "Write: rocspace auc FILE"),
    ("auc fawcett20 --y_score hgb", "Write: --score COLUMN"),
    ("auc fawcett20 --average macro", "--score 'p_*'"),
    ("average-precision fawcett20", "Write: rocspace report FILE"),
    ("classification_report fawcett20", "rocspace at FILE --threshold 0.5"),
    ("auc fawcett20 --max-fpr 0.1", "--fpr 0 0.1"),
    ("log-loss fawcett20", "In Python write: rocspace.costs.log_loss_estimate(table)"),
    ("nri fawcett20", "In Python write: rocspace.compare.reclassification(data)"),
    ("calibrate fawcett20", "Write: rocspace report FILE"),
    ("compare adult_scores --model hgb", "Write: --score COLUMN"),
    ("compare adult_scores hgb logreg", "of columns say --score for each"),
    ("auc --file fawcett20", "The file goes without a name"),
    ("auc fawcett20 --y label", "Write: --label COLUMN"),
    ("auc fawcett20 -label label", "An option has two dashes: --label"),
    ("auc fawcett20 -score=score", "An option has two dashes: --score=score"),
    ("version", "Write: rocspace --version"),
    ("ks fawcett20", "it prints KS and Gini, too"),
    ("hmeasure fawcett20", "In Python write: rocspace.costs.h_measure(table)"),
    ("brier-curve fawcett20", "In Python write: rocspace.costs.brier_curve(table)"),
    ("auprg fawcett20", "In Python write: rocspace.curves.auprg(table)"),
    ("friedman fawcett20", "scipy.stats.rankdata"),
    ("mrmc fawcett20", "rocspace compare FILE for each reader"),
    ("cutpoints fawcett20", "rocspace choose FILE"),
    ("auc fawcett20 -l label", "Write: --label COLUMN"),
    ("auc fawcett20 -s score", "Write: --score COLUMN"),
    ("auc fawcett20 --where sex=m", "A file is read whole"),
    ("auc fawcett20 --csv", "rocspace curve FILE"),
    ("auc fawcett20 --verbose", "--quiet says less"),
    # pROC
    ("cutpointr fawcett20", "rocspace at FILE --criterion youden"),
    ("compare adult_scores --test delong", "--distribution normal"),
    ("roc fawcett20", "Write: rocspace auc FILE"),
    ("auc fawcett20 --response label", "Write: --label COLUMN"),
    ("auc fawcett20 --ci", "its level is --level"),
    ("auc fawcett20 --label label --score score --ci", "its level is --level"),
    ("at fawcett20 --label label --conf-level=0.9", "its level is --level"),
    ("ci.se fawcett20", "--on-curve-fpr 0.1"),
    ("roc.test fawcett20", "Write: rocspace compare FILE"),
    ("coords fawcett20", "rocspace choose FILE"),
    ("at fawcett20 --best youden", "--youden, or --criterion NAME"),
    ("at fawcett20 --specificity 0.9", "--on-curve-fpr 0.1"),
    ("at fawcett20 --sensitivity 0.9", "--on-curve-tpr 0.9"),
    ("auc fawcett20 --direction '<'", "--lower-is-positive"),
    ("auc fawcett20 --direction auto", "rocspace rank FILE shows in which direction"),
    ("at fawcett20 --threshold 0.5 --by sex", "rocspace auc FILE --by COLUMN"),
    ("bootstrap fawcett20 --stratified", "the other scheme is --scheme unstratified"),
    ("auc fawcett20 --pos p", "Write: --positive VALUE"),
    ("choose fawcett20 --fn 5", "Write: rocspace choose FILE --cost-fn 5"),
    ("auc fawcett20 --method delong", "another is --variance"),
    ("compare fawcett20 --method delong", "--distribution normal"),
    ("compare fawcett20 --method bootstrap", "rocspace bootstrap FILE --statistic auc"),
    ("auc fawcett20 --method bootstrap", "rocspace bootstrap FILE --statistic auc"),
    ("choose fawcett20 --best-weights 5", "--criterion youden --cost-fn 5 --prevalence 0.2"),
    ("var fawcett20", "rocspace auc FILE --json"),
    ("cov fawcett20", "rocspace compare FILE --json"),
    ("multiclass.roc fawcett20", "with a column of scores for each class"),
    ("bootstrap fawcett20 --statistic spec@sens=0.9", "Write: fpr@tpr=0.9"),
    ("bootstrap fawcett20 --statistic sensitivity@spec=0.9", "Write: tpr@fpr=0.1"),
    ("bootstrap fawcett20 --statistic precision@threshold=1", "Write: ppv@threshold=0.5"),
    ("compare fawcett20 --paired", "--by COLUMN"),
    ("auc adult_scores --margin 0.05", "rocspace compare FILE --margin 0.02"),
    ("compare adult_scores --noninferiority 0.05", "rocspace compare FILE --margin 0.02"),
    ("noninferiority adult_scores", "rocspace compare FILE --margin 0.02"),
    ("superiority adult_scores", "In Python write: rocspace.compare.superiority_test("),
    ("meta-analysis studies.csv", "In Python write: rocspace.models.fit_summary_roc("),
    ("prcurve fawcett20", "Write: rocspace report FILE"),
    ("power --area 0.8 --margin 0.05", "plan_difference(0.8, 0.8, null_difference=-0.05)"),
    ("choose fawcett20 --sensitivity 0.9", "Write: --min-tpr 0.9."),
    ("choose fawcett20 --specificity 0.9", "Write: --max-fpr 0.1."),
    ("power --sensitivity 0.9 --width 0.1", "rocspace.planning.plan_rate(0.9, null_rate=0.8)"),
    ("power --n 100 --area 0.7", "--n-pos 40, the number of positives"),
    ("verification a.csv --verified seen", "it is empty where the truth is not known"),
    ("survival a.csv --time t --event died --at 2", "Write: --status COLUMN"),
    ("decision fawcett20", "rocspace report FILE (it has this graph, too)"),
    ("auc fawcett20 --decimal ,", "Decimal commas are recognised"),
    ("auc fawcett20 --encoding latin1", "In Excel save the sheet as 'CSV UTF-8'"),
    ("timeROC fawcett20", "rocspace survival FILE --time days"),
    ("noise fawcett20 --rate 0.1", "--wrong-negatives 0.1"),
    ("auc fawcett20 --metric f1", "rocspace at FILE --criterion f1"),
    ("auc fawcett20 --no-header", "The first line of a text file names its columns"),
    # an option of another verb
    ("report fawcett20 --cluster patient", "rocspace auc and rocspace compare have it. See:"),
    ("auc fawcett20 --region 0.1", "rocspace auc has no --region. rocspace posterior has it."),
    ("noise fawcett20 --fpr 0.1", "Other commands have it, such as rocspace at and rocspace auc."),
    # one value several times
    ("survival a.csv --time t --status s --at 2 --at 5", "commas between: --at 2,5"),
    ("auc a.csv --positive low --positive high", "write a column that is 1 for them, else 0"),
    ("auc a.csv --label y --label=z", "--label is given 2 times, and takes one value. Leave out"),
    # Spark
    ("auc s3://bucket/x.parquet", "tabulate_frame"),
    ("auc fawcett20 --group-by day", "Write: --by COLUMN"),
    ("auc fawcett20 --format json", "To print JSON say --json"),
    ("auc fawcett20 --jsonl", "--brief for one line"),
    ("auc fawcett20 --min-auc 0.8", "--fail-below 0.8"),
    ("merge a.csv b.csv", "No such file"),
    ("auc --spark parts", "folders too: rocspace auc FOLDER"),
    ("auc fawcett20 --spark", "rocspace.tabulate_frame(df, label="),
    ("auc fawcett20 --approx", "rocspace auc FILE --tolerance 1e-4"),
    ("auc fawcett20 --num-bins 1000", "rocspace auc FILE --tolerance 1e-4"),
    # a student
    ("fawcett20", "is a bundled data set. Say what to do"),
    ("data fawcett20", "rocspace columns fawcett20"),
    ("plot fawcett20", "Write: rocspace report FILE"),
    ("auc fawcett20 --plot", "--figure roc.svg"),
    ("at fawcett20 0.5", "say --threshold 0.5"),
    ("confusion-matrix fawcett20", "rocspace at FILE --threshold 0.5"),
    ("choose fawcett20 --youden", "--criterion NAME"),
    ("report fawcett20 --open", "rocspace serve"),
    # several values after one option
    (
        "survival x.csv --time t --status s --at 6 12 22 --score a",
        "Give --at several values with commas between: --at 6,12,22",
    ),
    ("survival x.csv --time t --status s --at 6, 12", "commas between: --at 6,12"),
    ("at fawcett20 --fpr 0.1 0.2", "several values: --fpr 0.1 --fpr 0.2"),
    ("at fawcett20 --fpr=0.1 0.2", "several values: --fpr 0.1 --fpr 0.2"),
    ("auc adult_scores --json --score hgb logreg", ": --score hgb --score logreg"),
    ("auc fawcett20 --fpr 0 0.1 0.2", "--fpr takes 2 values, not 3: 0 0.1 0.2"),
    ("auc x.csv --label is ill", "spaces in quotes: --label 'is ill'"),
    ("auc fawcett20 --json foo", "Unexpected argument 'foo'."),
]


@pytest.mark.parametrize(("line", "said"), ANSWERS, ids=[line for line, _ in ANSWERS])
def test_a_first_guess_is_answered(run: Run, line, said):
    error = run(*shlex.split(line), fails=True).err
    assert said in error
    assert error.count("\n") == 1


def test_counts_are_not_scores(run: Run, csv_file):
    file = csv_file("a.csv", {"y": [0, 1], "s": [1, 2]})
    said = run("merge", file, fails=True).err
    assert "is not a file of saved counts. Save them by: rocspace auc" in said


def test_what_is_planned_in_python_can_be_run():
    for line in guesses._PLANNED.values():
        call = line.partition("rocspace.planning.")[2].split(", or ")[0].rstrip(".")
        assert eval(f"planning.{call}", {"planning": rs.planning}).n_pos > 0


def test_no_guess_is_a_verb():
    assert not (set(guesses._VERB) | set(guesses._CALL)) & set(VERBS)


def test_what_is_had_in_python_is_there():
    for line in guesses._IN_PYTHON:
        _, room, name = line.partition("(")[0].split(".")
        assert callable(getattr(importlib.import_module(f"rocspace.{room}"), name))


def test_every_line_names_verbs_that_are_there():
    for line in (*guesses._VERBS, *guesses._OPTIONS, *guesses._OF_VERB.values()):
        for part in line.split("rocspace ")[1:]:
            assert part.split()[0].strip(".,") in (*VERBS, "--version"), line


@pytest.mark.no_cover
@pytest.mark.parametrize("verb", VERBS)
def test_examples_can_be_copied(run: Run, verb):
    """A line of at most 78 letters is not broken in a terminal of 80."""
    examples = run(verb, "--help").out.partition("Examples:")[2].split("\n")
    lines = [line.strip() for line in examples if line.strip()]
    assert lines
    assert [
        line for line in lines if not line.startswith(("rocspace ", "zcat ", "source <(rocspace "))
    ] == []
