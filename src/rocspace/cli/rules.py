"""Decision rules as plain JSON types, and with short thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rocspace._base.text import short_threshold, threshold
from rocspace.combine.mixtures import RulePath
from rocspace.combine.rules import BooleanRule, Constant, NotRule, Rule
from rocspace.counts.table import ScoreTable
from rocspace.operating.points import point_at
from rocspace.report.plain import plain


def described_rules(path: RulePath, tables: Mapping[str, ScoreTable]) -> list[dict[str, Any]]:
    """Describe rules and their rates, in plain JSON types."""
    return [
        {
            "fpr": float(fpr),
            "tpr": float(tpr),
            "rule": plain_rule(rule, tables),
            "text": str(short_rule(rule, tables)),
        }
        for fpr, tpr, rule in zip(path.fpr, path.tpr, path.rules, strict=True)
    ]


def plain_rule(rule: Rule, tables: Mapping[str, ScoreTable]) -> Any:
    """Give a rule in plain JSON types; each threshold also as the shortest text."""
    if isinstance(rule, Constant):
        return str(rule)
    if isinstance(rule, NotRule):
        return {"not": plain_rule(rule.rule, tables)}
    if isinstance(rule, BooleanRule):
        return {rule.operator: [plain_rule(each, tables) for each in rule.rules]}
    return {
        "score": rule.name,
        "threshold": plain(rule.threshold),
        "threshold_text": threshold(
            rule.threshold, point_at(tables[rule.name], rule.threshold).next_score
        ),
        "direction": "higher" if rule.higher_is_positive else "lower",
    }


def short_rule(rule: Rule, tables: Mapping[str, ScoreTable]) -> Rule:
    """Return a rule with the shortest thresholds that make the same decisions."""
    if isinstance(rule, NotRule):
        return NotRule(short_rule(rule.rule, tables))
    if isinstance(rule, BooleanRule):
        return replace(rule, rules=tuple(short_rule(each, tables) for each in rule.rules))
    if isinstance(rule, Constant) or not np.isfinite(rule.threshold):
        return rule
    point = point_at(tables[rule.name], rule.threshold)
    short = short_threshold(plain(rule.threshold), plain(point.next_score))
    return replace(rule, threshold=short)
