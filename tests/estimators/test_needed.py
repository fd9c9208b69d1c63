"""Without scikit-learn the library works, and the room says how to install it."""

from repository import fresh_python

WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "sklearn":
            raise ModuleNotFoundError("No module named 'sklearn'", name="sklearn")

sys.meta_path.insert(0, Absent())
import rocspace as rs
from rocspace import estimators
print("scorer" in dir(estimators))
for name in ("scorer", "compare_estimators", "ThresholdClassifier"):
    try:
        getattr(estimators, name)
    except ModuleNotFoundError as error:
        print(error)
estimators.RocDisplay([rs.tabulate([0, 1], [1, 2])])  # of predictions it needs no model
"""


def test_one_sentence_says_what_is_missing() -> None:
    said = fresh_python("-c", WITHOUT).stdout.splitlines()
    line = "sklearn is not installed. Run: pip install 'rocspace[sklearn]'"
    assert said == ["True", *[line] * 3]


def test_the_room_is_not_imported_before_it_is_asked_for() -> None:
    code = "import sys, rocspace.estimators; print('sklearn' in sys.modules)"
    assert fresh_python("-c", code).stdout.strip() == "False"
