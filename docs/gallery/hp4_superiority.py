"""Who is best, for whose costs.

For each share of a false negative in both costs, the classifier that costs least, at a prevalence
of 20 %. The grey triangle says what an expert holds likely; the part of its area over a line,
written on the right, is the confidence that this classifier is the better one.
After Fawcett's notes (2004) and Adams and Hand (1999); the curves are those of figure 7.
"""

from fig07_convex_hull import TABLES
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from rocspace.costs import Triangle, relative_superiority
from rocspace.plot import plot_superiority, style


def draw() -> Figure:
    graph = relative_superiority(TABLES, prevalence=0.2)
    belief = Triangle(low=0.4, mode=0.7, high=0.9)
    with style("single", figure_figsize=(3.35, 1.9)):
        figure, ax = plt.subplots()
        plot_superiority(graph, ax=ax, belief=belief)
        sure = graph.confidence(belief)
        for row, name in enumerate(graph.names):
            ax.text(1.03, row, f"{100 * sure[name]:.0f} %", va="center")
    return figure


if __name__ == "__main__":
    draw().savefig("superiority.pdf")
