"""What is measured: the parts of the ledger, each with its sections and its default methods."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.coverage import (
    adjusted,
    areas,
    axes,
    bands,
    binary,
    bootstrap,
    called,
    called_index,
    called_measures,
    called_odds,
    chance,
    compare,
    corrected,
    costs,
    counted,
    covariates,
    credible,
    exchanged,
    fit_bands,
    fits,
    folds,
    further,
    goodness,
    models,
    others,
    own_fits,
    planned_rates,
    planning,
    ranges,
    rarer,
    readings,
    study,
    trinormal,
    truth,
    wide,
)
from benchmarks.coverage.cells import part
from benchmarks.coverage.ledger import SAMPLES_OF_BANDS, SEED, Part, Row, Section

# --- parts with a generator of their own ------------------------------------------------------


def rates(_: int) -> Iterator[Row]:
    return areas.rate_rows()


def points(_: int) -> Iterator[Row]:
    return areas.point_rows()


def parts_of_areas(samples: int) -> Iterator[Row]:
    return areas.area_rows("part")(samples)


def score_areas(samples: int) -> Iterator[Row]:
    return areas.area_rows("area")(samples)


def weighted(samples: int) -> Iterator[Row]:
    return areas.area_rows("area, lognormal")(samples)


def other_areas(samples: int) -> Iterator[Row]:
    return areas.other_rows(samples)


def smooth_fits(samples: int) -> Iterator[Row]:
    return fits.fit_rows(samples)


def averages(samples: int) -> Iterator[Row]:
    return folds.curve_rows(samples, np.random.default_rng([SEED, 7, 2]))


# --- all parts --------------------------------------------------------------------------------

BOOTSTRAP_NOTE = (
    'The default, "unseen", is the interval of `delong` and needs no replicates, as "profile" '
    "of the true positive rate below; the others are quantiles of replicates."
)
PARTS_NOTE = "Raw areas below the curve between two false positive rates."
FITS_NOTE = (
    '"binormal" assumes that the scores are Normal, as those of the first four populations are; '
    '"labroc" that an increasing function of them is. The interval of a degenerate or refused fit '
    "is the whole range."
)
FITS_LACK = "tiny, unbalanced and near-perfect: most fits would be degenerate, without errors"
MODELS_NOTE = (
    "Each model where its assumption holds, and elsewhere: {doc}`smooth_curves` says which it is. "
    "The interval of a degenerate or refused fit is the whole range. Slow models and 200 + 200 "
    "cases have fewer samples."
)
FURTHER_LACK = "tiny, unbalanced and near-perfect: most fits would be without errors"
FURTHER_NOTE = (
    'Binormal models hold for Normal scores. Elsewhere, and for "roc-glm" of ratings, a coverage '
    "far below 95 is bias, which no error of a wrong model tells of."
)
TRINORMAL_LACK = "tied, tiny, unbalanced and near-perfect: few situations"
BANDS_NOTE = (
    "`fit_band` of models that do not hold, or of ratings, at the true points: bias decides. A fit "
    "without known errors has no band, which counts as everything. Models of continuous scores are "
    "flagged on ratings."
)
READINGS_NOTE = (
    "By the delta method; the error of a threshold allows for its having been estimated. Fits "
    "without a shape are left out."
)
TRUTH_LACKS = "tied, tiny, unbalanced and near-perfect: few positives would be verified"
NOT_A_SCORE = "shares and counts at a fixed threshold, whatever the population of scores"
POINTS_LACK = "skewed, tied and near-perfect: " + NOT_A_SCORE
BY_RANKS = (
    "where the hypothesis is true both classes have the same score distribution: only ties matter"
)

STUDY = Part(
    "study",
    study.rows,
    tuple(
        Section(
            name,
            name.capitalize(),
            "Each line of the table above.",
            kind=kind,
            defaults=defaults,
            wide=True,
        )
        for name, kind, defaults in study.SECTIONS
    ),
    quick=0,
    cells=study.count,
)

COVARIATES_NOTE = (
    "Age or site shifts the scores of both classes, and positives are older. Truth: the mean over "
    "positives of the area among negatives of their age or site."
)
COVARIATES_LACK = "tied, tiny, unbalanced and near-perfect: regressions need cases that vary"
CREDIBLE_NOTE = (
    "A posterior does not claim a coverage over many samples; this is what it has. Nominal: 95."
)
CREDIBLE_LACK = (
    "skewed, unbalanced and near-perfect: few situations, the Bayesian bootstrap is slow"
)
NO_BAND = "skewed, tied, unbalanced and near-perfect: the curve of ratings has corners"
PARTS = (
    STUDY,
    Part(
        "areas",
        score_areas,
        (
            Section(
                "area",
                "Area under the curve",
                "The first word names the standard error, the second the interval. "
                "With one positive there is no DeLong standard error, and its intervals are the "
                '"hoeffding" one.',
                defaults=("delong unseen",),
                group="area",
            ),
        ),
        quick=8,
    ),
    Part(
        "validation",
        other_areas,
        (
            Section(
                "area, validation",
                "Area, in validation populations",
                "Hooked, three levels, hidden positives, many zeros, heavy tails, imbalance both "
                "ways. The default was fixed before they were drawn.",
                defaults=("delong unseen",),
                group="area",
            ),
        ),
        quick=8,
        role="validation",
    ),
    Part(
        "binary",
        binary.rows,
        (
            Section(
                binary.SECTION,
                "Area of a yes/no test",
                "Exact: summed over all outcomes. Of a test with two levels the area is the mean "
                "of its tpr and its specificity.",
                defaults=("delong unseen",),
                group="area",
                discrete=True,
                lacks="all: a yes/no test has two scores",
            ),
        ),
        quick=0,
    ),
    Part(
        "parts",
        parts_of_areas,
        tuple(
            Section(
                f"part of the area, fpr {low:g} to {high:g}",
                f"Part of the area, fpr {low:g} to {high:g}",
                PARTS_NOTE,
                defaults=("placements unseen",),
            )
            for low, high in areas.PARTS
        ),
        quick=8,
    ),
    Part(
        "weights",
        weighted,
        (
            Section(
                "area, lognormal weights",
                "Area, with lognormal importance weights",
                defaults=("delong unseen",),
            ),
        ),
        quick=8,
    ),
    part(
        "bootstrap",
        bootstrap.cells,
        tuple(
            Section(q.section, q.section.capitalize(), note, defaults=(q.default,))
            for q, note in zip(
                bootstrap.QUANTITIES,
                (BOOTSTRAP_NOTE, "", ""),
                strict=True,
            )
        ),
        quick=1,
    ),
    part(
        "bootstrap differences",
        bootstrap.difference_cells,
        (
            Section(
                bootstrap.DIFFERENCE,
                "Bootstrap of a difference of areas, the same cases",
                "The default interval of `auc_difference` below holds its level, too, and costs "
                "nothing.",
                defaults=(bootstrap.OF_DIFFERENCE,),
            ),
        ),
        quick=1,
    ),
    part(
        "fitted",
        folds.fitted_cells,
        (
            Section(
                folds.VALIDATED,
                "Cross-validated area, of the models that were fitted",
                "The truth is the mean of the areas of the models of all folds.",
                defaults=(folds.USUAL,),
            ),
        ),
        quick=4,
    ),
    part(
        "learned",
        folds.learned_cells,
        (
            Section(
                folds.WAY,
                "Area of a way of learning, by (repeated) cross-validation",
                "The truth is the mean area of such models over all training sets. "
                '"repeated" is `repeated_auc_estimate`, "corrected" is `corrected_estimate` of the '
                'areas, "corrected t" as published. "t of the folds" takes the folds for '
                "independent, and is not one of our intervals.",
                defaults=(folds.REPEATED,),
            ),
        ),
        quick=2,
    ),
    Part(
        "averages",
        averages,
        (
            Section(
                "vertical average",
                "Averages of curves, pointwise",
                'How often the true curve is inside, for which only "bracket" is made; with "of '
                'such", how often the mean of all average curves of such samples is inside, for '
                'which the others are made. "prediction" is for one more curve.',
                defaults=("bracket",),
                targets=True,
            ),
        ),
        quick=4,
    ),
    part(
        "difference bands",
        bands.difference_cells,
        (
            Section(
                bands.DIFFERENCE,
                "Bands of the difference of two curves of the same cases",
                "How often the band contains the whole true difference; the width is the mean area "
                "between its bounds.",
                defaults=("bootstrap",),
            ),
        ),
        samples=SAMPLES_OF_BANDS,
        quick=1,
    ),
    part(
        "bands",
        bands.cells,
        (
            Section(
                bands.WHOLE,
                "Bands, the whole curve at once",
                "How often the band contains the whole true curve; the width is the mean area "
                "between its bounds. Pointwise bands are not made for this.",
                defaults=("likelihood",),
            ),
            *(
                Section(
                    bands.point(f),
                    f"Pointwise bands at fpr {f:g}",
                    "How often the band contains the true tpr there; the width is its mean height.",
                )
                for f in bands.POINTS
            ),
        ),
        samples=SAMPLES_OF_BANDS,
        quick=1,
    ),
    Part("rocci", bands.rocci_rows, (), samples=200, quick=0, needs="rocci"),
    part(
        "weighted bands",
        bands.weighted_cells,
        (
            Section(
                bands.WEIGHTED,
                "Bands of the whole curve, lognormal weights",
                "As above, for cases whose weights are independent of their scores: classes of "
                "100 are worth some 42 cases of equal weight, classes of 5 some 3.",
                defaults=("likelihood",),
            ),
        ),
        samples=SAMPLES_OF_BANDS,
        quick=1,
    ),
    part(
        "chance",
        chance.cells,
        (
            Section(
                chance.SECTION,
                "Tests against chance",
                kind="size",
                defaults=("auc_test at 0.05", "auc_test at 0.01"),
                lacks="near-perfect: " + BY_RANKS,
            ),
        ),
        quick=20,
    ),
    part(
        "screened features",
        chance.screened,
        (
            Section(
                chance.FOUND,
                "Wide: size of rank_features",
                "Percent of samples in which any of 200 features is found, of which none tells the "
                "classes apart.",
                kind="size",
                defaults=("default",),
                wide=True,
            ),
        ),
        quick=5,
    ),
    part(
        "paired",
        compare.paired_cells,
        (
            Section(
                compare.SAME,
                "Difference of two areas, the same cases",
                defaults=(compare.PAIRED,),
            ),
            Section(
                compare.SAME_SIZE,
                "Tests of equal areas, the same cases",
                '"discordance" rejects what the interval of that name leaves out.',
                kind="size",
                defaults=tuple(f"{compare.PAIRED} at {level}" for level in (0.05, 0.01)),
            ),
        ),
        quick=3,
    ),
    part(
        "independent",
        compare.independent_cells,
        (
            Section(
                compare.OTHER,
                "Difference of two areas, independent samples",
                defaults=(compare.APART,),
            ),
            Section(
                compare.OTHER_SIZE,
                "Tests of equal areas, independent samples",
                '"unseen" rejects what the interval of that name leaves out.',
                kind="size",
                defaults=(f"{compare.APART} at 0.05",),
            ),
        ),
        quick=8,
    ),
    part(
        "difference of parts",
        compare.part_cells,
        (
            Section(
                compare.PARTS,
                "Difference of parts of areas, fpr 0 to .2",
                defaults=(compare.PAIRED,),
            ),
        ),
        quick=8,
    ),
    part(
        "four scores",
        compare.four_cells,
        (
            Section(
                compare.FOUR,
                "Four scores of equal areas",
                "How often the overall test rejects, and how often the test of any of the six "
                "pairs does.",
                kind="size",
                defaults=("all at once, F", "any pair, Holm"),
            ),
        ),
        quick=8,
    ),
    part(
        "margins",
        compare.margin_cells,
        (
            Section(
                compare.MARGINS,
                "Tests of non-inferiority",
                "How often a score that is worse by exactly the margin is declared non-inferior.",
                kind="size",
                defaults=("interval",),
            ),
        ),
        quick=8,
    ),
    part(
        "resampling",
        compare.resampling_cells,
        (
            Section(
                compare.RESAMPLED,
                "Tests of two scores, by formula and by resampling",
                f"{compare.DRAWS} replicates or permutations of each sample.",
                kind="size",
                defaults=(
                    compare.PAIRED,
                    "bootstrap of areas, t",
                    "permutation of areas",
                    "Venkatraman",
                ),
            ),
            Section(
                compare.POWER,
                "Power of the same tests",
                "Percent rejected at .05. Where the areas are equal but the curves cross, only "
                "tests of curves should reject.",
                kind="power",
                lacks="all but binormal: power is a matter of the difference",
            ),
        ),
        quick=1,
    ),
    part(
        "clusters",
        planning.cluster_cells,
        (
            Section(
                planning.AREA,
                "Area, cases in clusters",
                defaults=("clustered",),
            ),
        ),
        quick=8,
    ),
    part(
        "repeated readings",
        planning.repeated_cells,
        (
            Section(
                planning.REPEATED,
                "Area near 1, many readings of few cases",
                '"moderated" is one of the two limits that the default takes the farther of.',
                defaults=("clustered",),
                group=planning.AREA,
                lacks="tied, tiny and unbalanced: see cases in clusters",
            ),
        ),
        samples=1000,
        quick=4,
    ),
    part(
        "tests of clusters",
        planning.cluster_test_cells,
        (
            Section(
                planning.TESTS,
                "Tests of cases in clusters",
                kind="size",
                defaults=(planning.EQUAL[0], planning.HALF),
                lacks="near-perfect: a test against 1/2, and of equal areas of .8",
            ),
        ),
        quick=8,
    ),
    part(
        "power",
        planning.power_cells,
        (
            Section(
                planning.POWER,
                "Power of studies planned by a formula",
                "Percent rejected where the formula of the column predicts 80. Situation: the true "
                "areas; size: what the formula asked for. The default is not a formula; see plans.",
                kind="planned",
                lacks="all but binormal: plans are made with this model",
            ),
        ),
        quick=20,
    ),
    part(
        "costs",
        costs.cost_cells,
        (
            Section(
                costs.COST,
                "Least costs",
                "The cost of the optimal threshold, by the bootstrap of `resample_cost`.",
                targets=True,
                defaults=tuple(map(costs.at, costs.AT)),
            ),
        ),
        quick=1,
    ),
    part(
        "costs of rare levels",
        costs.far_cells,
        (
            Section(
                costs.FAR,
                "Least costs of rare levels, and at far costs",
                "By the bootstrap of `resample_cost`: few errors of one class decide, or an error "
                "of one class costs up to 200 times as much.",
                targets=True,
                defaults=tuple(map(costs.at, costs.FAR_AT)),
                lacks="all: situations made of rare levels and far costs",
            ),
        ),
        quick=1,
    ),
    part(
        "cost differences",
        costs.difference_cells,
        (
            Section(
                costs.GAP,
                "Differences of least costs",
                '"band, all together" is for 19 differences at once; "no wrong claim" is how often '
                "that band does not declare a score better that is not.",
                defaults=(
                    *map(costs.at, costs.AT),
                    costs.TOGETHER,
                ),
                targets=True,
            ),
        ),
        quick=1,
    ),
    part(
        "cost differences of like scores",
        costs.alike_cells,
        (
            Section(
                costs.ALIKE,
                "Differences of least costs of like scores",
                "Scores that differ in few cases, or are hardly of use: most bootstrap samples "
                "show no difference.",
                defaults=tuple(map(costs.at, costs.ALIKE_AT)),
                targets=True,
                lacks="all: situations made of few cases that differ",
            ),
        ),
        quick=1,
    ),
    part(
        "precision-recall",
        costs.pr_cells,
        (
            Section(
                costs.PR,
                "Area under the precision-recall curve",
                defaults=("unseen",),
            ),
        ),
        quick=8,
    ),
    Part(
        "precision of yes/no tests",
        called.rows,
        (
            Section(
                called.AREA,
                "Precision-recall area of a yes/no test",
                "Exact: summed over all outcomes. The true area is that of interpolated counts.",
                defaults=("unseen",),
                group=costs.PR,
                discrete=True,
                lacks="all: a yes/no test has two scores",
            ),
            Section(
                called.STEPS,
                "Average precision of a yes/no test",
                "Exact: summed over all outcomes.",
                defaults=(called.DEFAULT,),
                discrete=True,
                lacks="all: a yes/no test has two scores",
            ),
        ),
        quick=0,
    ),
    Part(
        "index of yes/no tests",
        called_index.rows,
        (
            Section(
                called_index.SECTION,
                "Youden's index of a yes/no test",
                "Exact: summed over all outcomes. Newcombe's interval does not search.",
                defaults=(called_index.DEFAULT,),
                discrete=True,
                lacks="all: a yes/no test has two scores",
            ),
        ),
        quick=0,
    ),
    Part(
        "odds ratios of yes/no tests",
        called_odds.rows,
        (
            Section(
                called_odds.SECTION,
                "Diagnostic odds ratio of a yes/no test",
                "Exact: summed over all outcomes. Widths are those of r / (1 + r).",
                defaults=(called_odds.DEFAULT,),
                discrete=True,
                lacks="all: a yes/no test has two scores",
            ),
        ),
        quick=0,
    ),
    Part(
        "measures of yes/no tests",
        called_measures.rows,
        tuple(
            Section(
                called_measures.section_of(name),
                f"{title} of a yes/no test",
                "Exact: summed over all outcomes; the true value is that of the expected counts.",
                defaults=(called_measures.DEFAULT,),
                discrete=True,
                lacks="all: a yes/no test has two scores",
            )
            for name, title in zip(
                called_measures.MEASURES,
                ("Accuracy", "Share called positive", "F1", "Informedness"),
                strict=True,
            )
        ),
        quick=0,
    ),
    Part(
        "fits",
        smooth_fits,
        (
            Section(
                "area of a fit",
                "Areas of fitted curves",
                f"{FITS_NOTE} The other populations show what a wrong model costs.",
                lacks=FITS_LACK,
            ),
            Section(
                "rate of a fit",
                "True positive rate of fitted curves at fpr .1",
                FITS_NOTE,
                lacks=FITS_LACK,
            ),
        ),
        samples=400,
        quick=4,
    ),
    Part(
        "models",
        models.rows,
        (
            Section(models.AREA, "Areas of all models", MODELS_NOTE, lacks=FITS_LACK),
            Section(
                models.RATE,
                f"True positive rate at fpr {models.AT:g} of all models",
                "The same samples, slow models for Normal scores alone.",
                lacks=FITS_LACK,
            ),
            Section(
                models.PART,
                f"Partial area up to fpr {models.TO:g} of the models that compute it fast",
                "The same samples.",
                lacks=FITS_LACK,
            ),
        ),
        samples=300,
        quick=3,
        cells=models.count,
    ),
    Part(
        "model readings",
        readings.rows,
        (
            Section(
                readings.INDEX,
                "Youden's index of fitted curves at their best cut",
                READINGS_NOTE,
                lacks="tied, tiny, unbalanced and near-perfect: few situations, slowly read",
            ),
            Section(
                readings.CUT,
                "Best thresholds of fitted curves, of the models of scores",
                'The same samples. "binormal" is wrong for exponential scores.',
                lacks="tied, tiny, unbalanced and near-perfect: few situations, slowly read",
            ),
            Section(
                readings.DIFFERENCE,
                "Differences of two fitted curves, by the bootstrap",
                f"{readings.N_BOOT} replicates of the cases, both scores fitted anew.",
                lacks="skewed, tied, tiny, unbalanced and near-perfect: two fits a replicate",
            ),
            Section(
                readings.ELSEWHERE,
                "Areas of slow models where their assumption does not hold",
                "A coverage far below 95 is bias: no error of a wrong model tells of it.",
                lacks="binormal, tied, tiny, unbalanced and near-perfect: those are above",
            ),
        ),
        samples=300,
        quick=0,
        cells=readings.count,
    ),
    Part(
        "slow rates",
        readings.rate_rows,
        (
            Section(
                readings.ELSEWHERE_RATE,
                "Rates of slow models where their assumption does not hold",
                "The true positive rate at a false positive rate of .1. A coverage far below 95 is "
                "bias: no error of a wrong model tells of it.",
                lacks="binormal, tied, tiny, unbalanced and near-perfect: those are above",
            ),
        ),
        samples=100,
        quick=0,
        cells=readings.count_rates,
    ),
    Part(
        "further readings",
        further.rows,
        (
            Section(
                further.FPR,
                f"False positive rate of fitted curves at tpr {further.TPR:g}",
                f"{FURTHER_NOTE} Of ratings at the true rate of the upper two.",
                lacks=FURTHER_LACK,
            ),
            Section(
                further.RATIO,
                f"Likelihood ratio of fitted curves at fpr {models.AT:g}",
                "The same samples. A width is not known where an interval of a sample is infinite.",
                lacks=f"tied, {FURTHER_LACK}",
            ),
            Section(
                further.CUT,
                f"Threshold of fitted curves with fpr {models.AT:g}",
                "The same samples as of rates.",
                lacks=f"tied, {FURTHER_LACK}",
            ),
            Section(
                further.PAIRED,
                "Differences of two curves fitted together",
                "`fit_paired`, by the covariance of both curves. Five ratings are cut from the "
                "Normal scores, and held against the curves of these.",
                defaults=tuple(readings.READINGS),
                targets=True,
                lacks="tiny, unbalanced and near-perfect: most fits would be without errors",
            ),
        ),
        samples=1000,
        quick=0,
        cells=further.count,
    ),
    part(
        "trinormal surfaces",
        trinormal.cells,
        (
            Section(
                trinormal.VOLUME,
                "Volumes of trinormal surfaces",
                "Scores as they are, or after a power. Exponential scores are nearly Normal after "
                "a power, and not without one, so that these are set beside the defaults.",
                defaults=trinormal.HOLDS,
                lacks=TRINORMAL_LACK,
                apart=True,
            ),
            Section(
                trinormal.GAP,
                "Differences of volumes of trinormal surfaces",
                "The same samples: two markers of the same cases, equally good.",
                defaults=trinormal.HOLDS,
                lacks=TRINORMAL_LACK,
                apart=True,
            ),
            Section(
                trinormal.SIZE,
                "Tests of trinormal surfaces",
                "Percent rejected at .05: of two markers that are equally good, and of one that "
                "knows nothing. The same samples.",
                kind="size",
                defaults=trinormal.OF_TESTS,
                lacks=TRINORMAL_LACK,
            ),
        ),
        SAMPLES_OF_BANDS,
    ),
    Part(
        "goodness of fit",
        goodness.rows,
        (
            Section(
                goodness.SIZE,
                "Tests of models where they hold",
                f"Percent rejected at .05, with {goodness.N_SIM} samples of each fit.",
                kind="size",
                defaults=tuple(dict.fromkeys((*models.ANY, *models.POSITIVE, *models.DEAR))),
                lacks="tiny, unbalanced and near-perfect: each sample is fitted twenty times",
            ),
            Section(
                goodness.POWER,
                "Tests of models where they do not hold",
                f"Percent rejected at .05, with {goodness.N_SIM} samples of each fit. Only one "
                "increasing function for both classes is assumed by models of ranks.",
                kind="power",
                lacks="binormal, tiny, unbalanced and near-perfect: each sample has twenty fits",
            ),
        ),
        samples=goodness.SAMPLES,
        quick=0,
        cells=goodness.count,
    ),
    Part(
        "bands of fits",
        fit_bands.rows,
        (
            Section(
                fit_bands.WHOLE,
                "Bands of fitted curves that do not hold",
                BANDS_NOTE,
                lacks="binormal, tiny, unbalanced and near-perfect: see where fits hold",
            ),
            Section(
                fit_bands.POINT,
                "Bands of fitted curves that do not hold, at each point",
                "The same samples, at one rate in each.",
                lacks="binormal, tiny, unbalanced and near-perfect: see where fits hold",
            ),
        ),
        samples=500,
        quick=2,
        cells=fit_bands.count,
    ),
    Part(
        "truth",
        truth.rows,
        (
            Section(
                truth.AREA,
                "Areas where the truth is known for some",
                "Verification depends on the score and on a covariate, by a logistic model if "
                "nothing else is said; 30 percent of cases are positive, or as many as is said. "
                "Beside the default the other methods, and the default where the model of the "
                "truth is wrong: it lacks the score, or the spreads are unequal.",
                defaults=("doubly-robust",),
                lacks=TRUTH_LACKS,
            ),
            Section(
                truth.RATE,
                "Rates where the truth is known for some",
                "The same samples, at the 70th percentile of all scores, doubly robust.",
                defaults=truth.RATES,
                targets=True,
                lacks=TRUTH_LACKS,
            ),
            Section(
                truth.NOISE,
                "Areas where labels are wrong",
                "Labels are flipped at these rates, which are known, or estimated from labels that "
                'were checked. "bounds" is told ranges that contain the shares.',
                defaults=("un-mixed",),
                lacks="tiny and unbalanced: few wrong labels would be left",
            ),
            Section(
                truth.POWERED,
                "Areas from few true labels and many of a judge",
                "The size is how many of all cases have a true label.",
                defaults=("prediction-powered",),
                lacks="skewed, tied, tiny, unbalanced and near-perfect: the judge is what varies",
            ),
        ),
        quick=2,
        cells=truth.count,
    ),
    Part(
        "rates",
        rates,
        (
            Section(
                "rate",
                "Rates",
                "Sums over all outcomes, not simulated. Situation: the true rate; size: cases.",
                defaults=("clopper-pearson",),
                discrete=True,
                lacks="all: " + NOT_A_SCORE,
            ),
        ),
        samples=0,
        quick=0,
    ),
    Part(
        "points",
        points,
        (
            Section(
                "both rates",
                "Both rates",
                "Sums over all outcomes, without simulation, at a threshold that was fixed before. "
                "The width of a rectangle is its mean area.",
                defaults=("rectangle clopper-pearson",),
                lacks=POINTS_LACK,
                discrete=True,
            ),
            Section(
                "likelihood ratio",
                "Likelihood ratios",
                "The same sums. Widths are shown where no outcome has an infinite end.",
                defaults=("positive, mover", "negative, mover"),
                lacks=POINTS_LACK,
                discrete=True,
            ),
            Section(
                "predictive value",
                "Predictive values",
                f"The same sums, at a prevalence of {areas.PREVALENCE:g}.",
                defaults=("ppv, mover", "npv, mover"),
                lacks=POINTS_LACK,
                discrete=True,
            ),
        ),
        samples=0,
        quick=0,
    ),
    Part(
        "covariates",
        covariates.rows,
        (
            Section(
                covariates.AREA,
                "Areas adjusted for covariates",
                COVARIATES_NOTE,
                defaults=("default",),
                lacks=COVARIATES_LACK,
            ),
            Section(
                covariates.DIFFERENCE,
                "Differences of adjusted areas",
                "The same samples; both scores are equally good.",
                defaults=("default",),
                lacks=COVARIATES_LACK,
            ),
            Section(
                covariates.TEST,
                "Tests of adjusted areas",
                "The same samples.",
                kind="size",
                defaults=("default",),
                lacks=COVARIATES_LACK,
            ),
            Section(
                covariates.POINT,
                "Areas for a given covariate",
                "The same samples, where the model holds, at the mean age of the positives.",
                lacks=COVARIATES_LACK,
            ),
            Section(
                covariates.BAND,
                "Simultaneous bands of the area by a covariate",
                "The same samples, at five ages.",
                lacks=COVARIATES_LACK,
            ),
            Section(
                covariates.WALD,
                "Tests that the curve does not depend on a covariate",
                "The same samples, where it does not.",
                kind="size",
                lacks=COVARIATES_LACK,
            ),
        ),
        quick=1,
        cells=covariates.count,
    ),
    Part(
        "adjusted curves",
        adjusted.rows,
        (
            Section(
                adjusted.BAND,
                "Bands of adjusted curves",
                f"{COVARIATES_NOTE} {adjusted.N_BOOT} samples of the cases.",
                lacks=COVARIATES_LACK,
            ),
            Section(
                adjusted.POINT,
                "Limits of adjusted curves at fpr .2",
                "The same samples.",
                lacks=COVARIATES_LACK,
            ),
            Section(
                adjusted.GAP,
                "Differences of areas for a given covariate",
                "The same samples, at the mean age of the positives; both scores are equally good.",
                defaults=("default",),
                lacks=COVARIATES_LACK,
            ),
            Section(
                adjusted.GAP_BAND,
                "Simultaneous bands of differences by a covariate",
                "The same samples, at five ages.",
                defaults=("default",),
                lacks=COVARIATES_LACK,
            ),
            Section(
                adjusted.TEST,
                "Tests of a difference for a given covariate",
                "The same samples.",
                kind="size",
                defaults=("default",),
                lacks=COVARIATES_LACK,
            ),
        ),
        quick=1,
        cells=adjusted.count,
    ),
    Part(
        "credible",
        credible.rows,
        tuple(
            Section(
                name,
                title,
                CREDIBLE_NOTE,
                lacks=NO_BAND if name == credible.BAND else CREDIBLE_LACK,
            )
            for name, title in (
                (credible.AREA, "Credible intervals of areas"),
                (credible.PART, f"Credible intervals of areas up to fpr {credible.PART_TO:g}"),
                (credible.DIFFERENCE, "Credible intervals of differences of areas"),
                (credible.BAND, "Credible bands"),
            )
        ),
        samples=100,
        quick=1,
        cells=credible.count,
    ),
    Part(
        "credible Youden's index",
        credible.youden_rows,
        (
            Section(
                credible.YOUDEN,
                "Credible intervals of Youden's index",
                CREDIBLE_NOTE + " Beside it the interval that allows for the search.",
                lacks="binormal, " + CREDIBLE_LACK.removeprefix("skewed, "),
            ),
        ),
        samples=400,
        quick=2,
        cells=credible.youden_count,
    ),
    *wide.WIDE,
    *counted.PARTS,
    *exchanged.PARTS,
    *rarer.PARTS,
    *ranges.PARTS,
    *corrected.PARTS,
    *others.PARTS,
    *own_fits.PARTS,
    *planned_rates.PARTS,
    *axes.PARTS,
)
ORDER = [part.name for part in PARTS]
SECTIONS = {section.name: section for part in PARTS for section in part.sections}
