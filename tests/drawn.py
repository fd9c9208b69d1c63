"""What the tests of plots read from axes."""

from rocspace.plot.axes import main_lines


def axes():
    from matplotlib.figure import Figure

    return Figure().subplots()


def main(ax):
    """The lines that results have, and others that a legend would name, in order."""
    own = main_lines(ax)
    return [line for line in ax.lines if line in own or not str(line.get_label()).startswith("_")]


def xy(ax, i=-1):
    return main(ax)[i].get_xydata()


def reference(ax, start):
    """The points of a line that results are compared with, by the start of its name."""
    (found,) = [line for line in ax.lines if str(line.get_label()).startswith(f"_{start}")]
    return found.get_xydata()
