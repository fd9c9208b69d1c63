"""Which correction is nearest to what chosen weights of classes truly cost.

    python benchmarks/constants/class_weights_optimism.py [--samples 100]

Three classes with Normal scores, as probabilities that are right up to weights of the classes; the
truth is the cost of the chosen weights among 60,000 other cases. Prints for each situation the mean
apparent cost, the mean true cost, and how far each correction is from the truth on average.
"""

import argparse

import numpy as np

from rocspace.multiclass import class_weights_bootstrap, decide_classes, multiclass_scores

COSTS = np.array([[0.0, 1, 4], [1, 0, 4], [1, 1, 0]])
HOW = ("out of bag", ".632", "harrell")


def draw(rng, sizes, distance):
    label = np.repeat(np.arange(3), sizes)
    x = rng.normal(size=(label.size, 3)) + distance * np.eye(3)[label]
    p = np.exp(distance * x + np.array([0.0, 0.5, -0.5]))
    return multiclass_scores(label, p / p.sum(axis=1, keepdims=True))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=100)
    samples = parser.parse_args().samples
    for sizes in ((20, 20, 20), (50, 30, 20), (100, 100, 100)):
        for distance in (0.5, 1.5):
            rng = np.random.default_rng(1)
            shares = {i: n / sum(sizes) for i, n in enumerate(sizes)}
            others = draw(rng, (20_000,) * 3, distance)
            rows = []
            for _ in range(samples):
                found = class_weights_bootstrap(
                    draw(rng, sizes, distance), costs=COSTS, n_boot=50, rng=rng, progress=False
                )
                weight = found.decisions.class_weight
                truth = decide_classes(others, costs=COSTS, priors=shares, class_weight=weight).cost
                rows.append([found.apparent, truth, *(found.corrected_by(how) for how in HOW)])
            mean = np.mean(rows, axis=0)
            gaps = ", ".join(
                f"{how} {x - mean[1]:+.3f}" for how, x in zip(HOW, mean[2:], strict=True)
            )
            print(f"{sizes} d={distance}: apparent {mean[0]:.3f}, true {mean[1]:.3f}; {gaps}")


if __name__ == "__main__":
    main()
