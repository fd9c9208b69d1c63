"""Parts of answers: the texts of the library, in the fields that the page reads."""

from rocspace._base import text as words
from rocspace.web.choices import Choice
from rocspace.web.said import clustered_table, of_area

AREA = {"value": 0.8125, "interval": {"low": 0.61234, "high": 0.93456}}
GAP = {"value": -0.05, "interval": {"low": -0.2, "high": 0.1}, "test": {"pvalue": 0.04321}}


def test_an_area_is_said_as_in_reports() -> None:
    value, between = words.estimate(0.8125, 0.61234, 0.93456)
    assert of_area("risk", AREA) == {"name": "risk", "value": value, "interval": between}
    assert (value, "0.612" in between, "0.935" in between) == ("0.812", True, True)


def test_a_table_of_clusters_has_areas_and_differences() -> None:
    found = clustered_table(
        {"risk": AREA, "age": AREA},
        [{**GAP, "first": "risk", "second": "age"}],
        Choice(cluster="patient", level=0.9),
    )
    assert (found["column"], found["level"]) == ("patient", words.level_text(0.9))
    assert [each["name"] for each in found["scores"]] == ["risk", "age"]
    (pair,) = found["pairs"]
    assert (pair["name"], pair["pvalue"]) == ("risk minus age", words.pvalue(0.04321))
    assert pair["value"] == words.estimate(-0.05, -0.2, 0.1)[0]
