"""What the room takes from scikit-learn; without it, one sentence that says how to install it."""

from __future__ import annotations

from typing import Any

from rocspace._base.optional import require


def _module(name: str) -> Any:
    return require(f"sklearn.{name}" if name else "sklearn", extra="sklearn")


_base, _utils, _routing = map(_module, ("base", "utils", "utils.metadata_routing"))
_parallel, _validation = map(_module, ("utils.parallel", "utils.validation"))

BaseEstimator: Any = _base.BaseEstimator
ClassifierMixin: Any = _base.ClassifierMixin
MetaEstimatorMixin: Any = _base.MetaEstimatorMixin
MetadataRouter: Any = _routing.MetadataRouter
MethodMapping: Any = _routing.MethodMapping
Parallel: Any = _parallel.Parallel
assert_all_finite: Any = _utils.assert_all_finite
RepeatedStratifiedKFold: Any = _module("model_selection").RepeatedStratifiedKFold
available_if: Any = _module("utils.metaestimators").available_if
check_cv: Any = _module("model_selection").check_cv
check_is_fitted: Any = _validation.check_is_fitted
clone: Any = _base.clone
column_or_1d: Any = _utils.column_or_1d
delayed: Any = _parallel.delayed
get_config: Any = _module("").get_config
get_tags: Any = _utils.get_tags
UNUSED: Any = _routing.UNUSED
has_fit_parameter: Any = _validation.has_fit_parameter
indexable: Any = _utils.indexable
is_regressor: Any = _base.is_regressor
process_routing: Any = _routing.process_routing
type_of_target: Any = _module("utils.multiclass").type_of_target
