"""Many samples at once are compared as single ones are."""

import numpy as np
import pytest

from rocspace.compare import auc_difference
from rocspace.compare.samples import sampled_gaps
from rocspace.simulate import paired_binormal

NORMAL, NEAR = {"r_pos": 0.5, "r_neg": 0.6}, {"r_pos": 0.9, "r_neg": 0.9}
KINDS = {
    "Normal": ([0.85, 0.8], NORMAL, (26, 40)),
    "near 1": ([0.98, 0.9], NEAR, (24, 12)),
    "nearly alike": ([0.7, 0.7], {"r_pos": 1 - 1e-9, "r_neg": 1 - 1e-9}, (20, 20)),
    "ratings": ([0.9, 0.85], NEAR | {"cuts": (0, 0.5, 1, 1.5)}, (30, 30)),
    "yes or no": ([0.7, 0.72], NORMAL | {"cuts": (0.5,)}, (10, 30)),
    "two cases": ([0.9, 0.6], NORMAL | {"cuts": (0, 1, 2)}, (2, 2)),
    "across": ([0.9, 0.2], {"r_pos": 0, "r_neg": -0.5}, (3, 2)),
}


@pytest.mark.parametrize(("areas", "options", "size"), KINDS.values(), ids=KINDS)
def test_each_sample_is_compared_as_if_it_were_alone(areas, options, size):
    population, rng = paired_binormal(areas, **options), np.random.default_rng(5)
    samples = [population.draw(*size, rng=rng) for _ in range(100)]
    found = sampled_gaps(np.stack([sample.score for sample in samples]), size[0])
    gaps = [auc_difference(sample) for sample in samples]
    areas = np.array([[gap.first.value, gap.second.value] for gap in gaps])
    perfect = ((areas == 0) | (areas == 1)).all(axis=1)
    np.testing.assert_array_equal(found.perfect, perfect)
    for null, side in ((0.0, "greater"), (-0.05, "greater"), (0.3, "less"), (-1.0, "less")):
        alone = [gap.test(null=null, alternative=side).pvalue for gap in gaps]
        together = found.pvalues(null, side)
        assert np.isnan(together[perfect]).all()
        np.testing.assert_allclose(
            together[~perfect], np.array(alone)[~perfect], rtol=1e-9, atol=1e-12
        )
    widths = np.array([gap.interval(0.9).width for gap in gaps])
    half = found.half_widths(0.9)
    np.testing.assert_allclose(half[~perfect], widths[~perfect] / 2, atol=1e-12)


def test_blocks_of_samples_do_not_touch():
    population = paired_binormal([0.8, 0.7], r_pos=0.4, r_neg=0.4, cuts=(0, 0.4, 0.9))
    rng = np.random.default_rng(1)
    score = np.stack([population.draw(60, 40, rng=rng).score for _ in range(400)])
    together = sampled_gaps(score, 60).pvalues(0.0, "greater")  # several blocks
    alone = [sampled_gaps(one[np.newaxis], 60).pvalues(0.0, "greater")[0] for one in score]
    np.testing.assert_allclose(together, alone, rtol=1e-12)
