"""Consistency of two measures by looking at all pairs."""


def count_pairs(first, second):
    """Look at all pairs: which measure decides, and for which side."""
    from rocspace.select import MeasureComparison

    count = dict.fromkeys(("agree", "disagree", "first_only", "second_only", "neither"), 0)
    for i in range(len(first)):
        for j in range(i):
            a = (first[i] > first[j]) - (first[i] < first[j])
            b = (second[i] > second[j]) - (second[i] < second[j])
            if a and b:
                count["agree" if a == b else "disagree"] += 1
            else:
                count["first_only" if a else "second_only" if b else "neither"] += 1
    return MeasureComparison(**count)
