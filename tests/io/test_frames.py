"""Engines count: exactly where scores fit, certainly in bins, and only counts come back."""

from __future__ import annotations

import datetime
import gc
import os
import pickle
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import narwhals.stable.v2 as nw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace._base import progress as _progress
from rocspace.io import batches, tabulate_frame, to_frame
from rocspace.io import engine as _engine
from rocspace.io import frames as _frames

pa = pytest.importorskip("pyarrow", reason="engines are tested with pyarrow")
pl = pytest.importorskip("polars", reason="engines are tested with polars")

pytestmark = [
    pytest.mark.slow,
    # Said of bins, which most tests here ask for by few rows.
    pytest.mark.filterwarnings("ignore:There are more than max_rows"),
]
Maker = Callable[[Any], Any]

# --- engines: each takes a pyarrow table and gives a frame of its own ---------------------------


def lazy_polars(table):
    return pl.from_arrow(table).lazy()


def duckdb_relation(table):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()  # not the default one
    connection.register("given", table)
    connection.execute("CREATE TABLE cases AS SELECT * FROM given")
    return connection.table("cases")


def ibis_table(table):
    pytest.importorskip("ibis")
    import ibis

    connection = ibis.duckdb.connect()
    connection.con.register("given", table)
    connection.con.execute("CREATE TABLE cases AS SELECT * FROM given")
    return connection.table("cases")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two Dask workers, processes of their own."""
    pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", processes=True
        ) as cluster,
        distributed.Client(cluster),
    ):
        yield cluster


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One session in local mode."""
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none on PATH")
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "ERROR",
        # One quick compiler: the thorough one takes longer than these tests.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = sql.SparkSession.builder.master("local[2]")
    for name, value in options.items():
        builder = builder.config(name, value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)  # not whatever Python is first on PATH
        session = builder.getOrCreate()
        yield session
        session.stop()


ENGINES = ["polars", "duckdb", "ibis", "dask", "spark"]


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Maker:
    """A maker of frames; clusters are started by the first test that needs them."""
    name = request.param
    if name == "dask":
        request.getfixturevalue("cluster")
        import dask.dataframe as dd

        return lambda table: dd.from_pandas(table.to_pandas(), npartitions=3)
    if name == "spark":
        session = request.getfixturevalue("spark")
        return session.createDataFrame
    return {"polars": lazy_polars, "duckdb": duckdb_relation, "ibis": ibis_table}[name]


all_engines = pytest.mark.parametrize("engine", ENGINES, indirect=True)


@pytest.fixture(params=["polars", "duckdb"])
def make(request: pytest.FixtureRequest) -> Maker:
    """Two engines whose expressions and types differ."""
    makers = {"polars": lazy_polars, "duckdb": duckdb_relation}
    return lambda **columns: makers[request.param](pa.table(columns))


# --- samples ------------------------------------------------------------


def normal(rng, label):
    return rng.normal(size=label.size) + label


def heavy_tails(rng, label):
    return rng.standard_cauchy(label.size) ** 3 + label


def saturated(rng, label):
    return 1 - 2.0 ** -(52 * rng.random(label.size)) * (1 - 0.1 * label)


def small_chances(rng, label):
    return 10.0 ** (-300 * rng.random(label.size) ** 2) * (1 + label)


def clustered(rng, label):
    return rng.integers(0, 30, label.size) / 7 + (rng.normal(size=label.size) + label) * 1e-12


def denormal(rng, label):
    return (rng.integers(0, 10**5, label.size) + 9000 * label) * 5e-324


def huge(rng, label):
    return rng.uniform(-1.6, 1.6, label.size) * 1e308 + label * 1e307


def large_integers(rng, label):
    return 2**60 + rng.integers(0, 10**5, label.size) + 9000 * label


def all_integers(rng, label):
    score = rng.integers(-(2**63), 2**63 - 1, label.size)
    score[:2] = -(2**63), 2**63 - 1
    return score


def single_precision(rng, label):
    return normal(rng, label).astype(np.float32)


def infinite(rng, label):
    score = normal(rng, label)
    score[::50], score[1::50], score[2::10], score[3::10] = np.inf, -np.inf, 0.0, -0.0
    return score


def small_whole(rng, label):
    return rng.integers(-100, 100, label.size).astype(np.int16) + label


NASTY = [
    normal,
    heavy_tails,
    saturated,
    small_chances,
    clustered,
    denormal,
    huge,
    large_integers,
    all_integers,
    single_precision,
    infinite,
]


def sample(shape, n=4000, seed=0):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    return label, shape(rng, label)


def binned(frame, **options):
    """Count by queries, with little room; that it may not be enough is no matter here."""
    with warnings.catch_warnings(), mock.patch.object(batches, "counted", return_value=None):
        warnings.filterwarnings("ignore", message="The area is certain to")
        return tabulate_frame(frame, label="y", score="s", **options)


def undecided(table, exact):
    """Pairs that bins of more than one score leave open."""
    ties = int(exact.pos @ exact.neg)
    return (int(table.pos @ table.neg) - ties) / (exact.n_pos * exact.n_neg)


def assert_certain(table, exact):
    assert (table.n_pos, table.n_neg) == (exact.n_pos, exact.n_neg)
    assert rs.auc(exact) in rs.auc_bounds(table)
    assert rs.auc_bounds(table).low <= rs.auc_bounds(exact).low
    assert rs.auc_bounds(exact).high <= rs.auc_bounds(table).high
    at = rs.evaluate(exact, table.score)
    assert np.array_equal(at.tp, table.tp)
    assert np.array_equal(at.fp, table.fp)
    assert np.isin(table.score, exact.score).all()


# --- exact ------------------------------------------------------------


@all_engines
def test_exact_tables_are_those_of_tabulate(engine):
    for shape in (infinite, large_integers):
        label, score = sample(shape)
        got = tabulate_frame(engine(pa.table({"y": label, "s": score})), label="y", score="s")
        assert got == rs.tabulate(label, score)
        assert got.score.dtype == score.dtype


@pytest.mark.parametrize("make", ["pandas", "polars", "pyarrow"])
def test_frames_in_memory_are_counted_exactly_without_limit(make):
    label, score = sample(infinite)
    weight = np.linspace(0, 2, label.size)
    group = np.arange(label.size) % 3
    table = pa.table({"y": label, "s": score, "w": weight, "g": group})
    frame = {"pandas": table.to_pandas, "polars": lambda: pl.from_arrow(table)}.get(
        make, lambda: table
    )()
    names = {"label": "y", "score": "s"}
    assert tabulate_frame(frame, **names, max_rows=16) == rs.tabulate(label, score)
    assert tabulate_frame(frame, **names, weight="w", higher_is_positive=False) == rs.tabulate(
        label, score, sample_weight=weight, higher_is_positive=False
    )
    parts = tabulate_frame(frame, **names, by="g", max_rows=16)
    assert list(parts) == [0, 1, 2]
    for i, part in parts.items():
        assert part == rs.tabulate(label[group == i], score[group == i])


@all_engines
def test_groups_weights_and_texts(engine):
    label, score = sample(infinite)
    weight = np.linspace(0, 2, label.size)
    group = np.array(["b", "a", "c"])[np.arange(label.size) % 3]
    text = np.where(label, "ill", "well")
    frame = engine(pa.table({"y": text, "s": score, "w": weight, "g": group}))
    parts = tabulate_frame(
        frame, label="y", score="s", pos_label="ill", by="g", higher_is_positive=False
    )
    assert list(parts) == ["a", "b", "c"]
    for name, part in parts.items():
        of = group == name
        assert part == rs.tabulate(label[of], score[of], higher_is_positive=False)
    got = tabulate_frame(frame, label="y", score="s", weight="w", pos_label="ill")
    want = rs.tabulate(label, score, sample_weight=weight)
    assert np.array_equal(got.score, want.score)
    for name in ("pos", "neg", "pos_w2", "neg_w2"):
        assert getattr(got, name) == pytest.approx(getattr(want, name), rel=1e-12)


# --- bins ------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "shape", "higher"),
    [(name, infinite, True) for name in ENGINES if name != "dask"]
    + [(name, large_integers, False) for name in ENGINES if name != "spark"],
    indirect=["engine"],
)
def test_bins_are_certain(engine, shape, higher):
    # One shape for clusters, since they are slow to start a task; all shapes below.
    label, score = sample(shape)
    exact = rs.tabulate(label, score, higher_is_positive=higher)
    frame = engine(pa.table({"y": label, "s": score}))
    table = binned(frame, max_rows=1000, tolerance=1e-3, higher_is_positive=higher)
    assert len(table) <= 1000
    assert len(table) < len(exact)
    assert table.score.dtype == score.dtype
    assert_certain(table, exact)
    assert undecided(table, exact) <= 2e-3


@pytest.mark.parametrize("engine", ["polars", "duckdb", "ibis"], indirect=True)
@pytest.mark.parametrize("shape", NASTY, ids=lambda shape: shape.__name__)
def test_bins_of_nasty_scores_are_certain_and_fine(engine, shape):
    label, score = sample(shape, n=20_000)
    exact = rs.tabulate(label, score)
    table = binned(engine(pa.table({"y": label, "s": score})), max_rows=4000, tolerance=1e-3)
    assert len(table) <= 4000
    assert_certain(table, exact)
    assert undecided(table, exact) <= 2e-3


@settings(max_examples=60)
@given(
    score=st.lists(st.floats(allow_nan=False), min_size=40, max_size=120),
    cut=st.floats(0, 1),
    room=st.integers(16, 39),
    tolerance=st.sampled_from([0.0, 1e-3, 0.1]),
)
def test_bins_are_certain_whatever_the_scores(score, cut, room, tolerance):
    score = np.array(score)
    label = np.arange(score.size) % 2 == 0
    label ^= score > np.quantile(np.nan_to_num(score) / 2, cut)
    exact = rs.tabulate(label, score)
    frame = lazy_polars(pa.table({"y": label, "s": score}))
    table = binned(frame, max_rows=room, tolerance=tolerance)
    if exact.n_pos and exact.n_neg:
        assert_certain(table, exact)


@pytest.mark.parametrize("engine", ["polars", "duckdb"], indirect=True)
def test_bins_by_group_and_weight(engine):
    label, score = sample(normal, n=6000)
    group = np.arange(label.size) % 3
    score[group == 2] *= 1000.0
    weight = np.linspace(0.5, 2, label.size)
    frame = engine(pa.table({"y": label, "s": score, "g": group, "w": weight}))
    parts = binned(frame, by="g", max_rows=3000, tolerance=2e-3)
    assert sum(map(len, parts.values())) <= 3000
    for i, part in parts.items():
        exact = rs.tabulate(label[group == i], score[group == i])
        assert_certain(part, exact)
        assert undecided(part, exact) <= 4e-3
    table = binned(frame, weight="w", max_rows=1000, tolerance=2e-3)
    exact = rs.tabulate(label, score, sample_weight=weight)
    assert rs.auc_bounds(table).low <= rs.auc(exact) <= rs.auc_bounds(table).high
    assert table.n_pos == pytest.approx(exact.n_pos)
    assert table.pos_w2.sum() == pytest.approx(exact.pos_w2.sum())


@pytest.mark.parametrize("dtype", ["i1", "i2", "u1", "u2", "u4"])
def test_small_integers_in_bins(make, dtype):
    # 100 cases at each of 200 scores, and room for 150.
    info = np.iinfo(dtype)
    score = (np.arange(20_000) % 200 + max(info.min, -100)).astype(dtype)
    label = np.arange(20_000) % 3 * 100 > score
    table = binned(make(y=label, s=score), max_rows=150, tolerance=1e-2)
    assert len(table) <= 150
    assert table.score.dtype == dtype
    assert_certain(table, rs.tabulate(label, score))


@pytest.mark.parametrize("shape", [normal, saturated])
def test_all_room_is_used_where_no_tolerance_is_given(shape):
    label, score = sample(shape, n=20_000)
    exact = rs.tabulate(label, score)
    table = binned(lazy_polars(pa.table({"y": label, "s": score})), max_rows=2000, tolerance=0)
    assert 1800 < len(table) <= 2000
    assert undecided(table, exact) < 3e-3


def test_the_bound_that_was_reached_is_told():
    label, score = sample(normal)
    frame = lazy_polars(pa.table({"y": label, "s": score}))
    with pytest.warns(UserWarning, match=r"certain to .* only, not to tolerance=1e-06"):
        tabulate_frame(frame, label="y", score="s", max_rows=500)


def test_many_rows_of_few_scores_are_exact():
    label, score = sample(normal, n=20_000)
    score = score.round(1)
    frame = lazy_polars(pa.table({"y": label, "s": score}))
    exact = rs.tabulate(label, score)
    assert tabulate_frame(frame, label="y", score="s", max_rows=200) == exact
    assert binned(frame, max_rows=200) == exact


# --- batches ------------------------------------------------------------


BATCHED = ["polars", "duckdb", "dask"]


@pytest.fixture
def no_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be asked of an engine."""

    def asked(_):
        raise AssertionError

    monkeypatch.setattr(_engine, "fetch", asked)


@pytest.mark.usefixtures("no_queries")
@pytest.mark.parametrize("engine", BATCHED, indirect=True)
@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("shape", [*NASTY, small_whole], ids=lambda shape: shape.__name__)
def test_batches_are_counted_as_arrays_are(engine, shape, higher):
    label, score = sample(shape)
    got = tabulate_frame(
        engine(pa.table({"y": label, "s": score})),
        label="y",
        score="s",
        higher_is_positive=higher,
    )
    want = rs.tabulate(label, score, higher_is_positive=higher)
    assert got == want
    assert got.score.dtype == want.score.dtype


@pytest.mark.usefixtures("no_queries")
@pytest.mark.filterwarnings("ignore:There are more than max_rows")
@pytest.mark.parametrize("engine", BATCHED, indirect=True)
@pytest.mark.parametrize("shape", [normal, clustered, single_precision, infinite])
def test_batches_with_little_room_are_certain(engine, shape):
    label, score = sample(shape, n=20_000)
    exact = rs.tabulate(label, score)
    frame = engine(pa.table({"y": label.astype(np.int8), "s": score}))
    table = tabulate_frame(frame, label="y", score="s", max_rows=4000, tolerance=1e-3)
    assert len(table) <= 4000
    assert_certain(table, exact)
    assert undecided(table, exact) <= 2e-3


@pytest.mark.parametrize("engine", BATCHED, indirect=True)
def test_batches_that_are_too_coarse_are_left_to_queries(engine):
    label, score = sample(normal, n=20_000)
    frame = engine(pa.table({"y": label, "s": score}))
    with pytest.warns(UserWarning, match="only, not to tolerance=1e-09"):
        coarse = tabulate_frame(frame, label="y", score="s", max_rows=500, tolerance=1e-9)
    assert coarse == binned(frame, max_rows=500, tolerance=1e-9)


@pytest.mark.parametrize("engine", BATCHED, indirect=True)
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"y": [0, 1, 2], "s": [1.0, 2.0, 3.0]}, "y"),
        ({"y": [0, 1, None], "s": [1.0, 2.0, 3.0]}, "y has 1 missing value"),
        ({"y": [0, 1, 0], "s": [1.0, None, 3.0]}, "s has 1 missing value"),
        ({"y": [0, 1, 0], "s": [1.0, float("nan"), 3.0]}, "s has 1 missing value"),
        ({"y": pa.array([], pa.int64()), "s": pa.array([], pa.float64())}, "the frame is empty"),
    ],
)
def test_what_batches_do_not_take_is_named_by_column(engine, columns, message):
    with pytest.raises(ValueError, match=message):
        tabulate_frame(engine(pa.table(columns)), label="y", score="s")


@pytest.fixture
def here() -> Iterator[None]:
    """Let Dask work in this process, even if a cluster is open."""
    try:
        from dask import config
    except ImportError:
        yield
        return
    with config.set(scheduler="threads"):
        yield


@pytest.mark.usefixtures("no_queries", "here")
@pytest.mark.parametrize("engine", BATCHED, indirect=True)
def test_unless_told_engines_of_this_process_give_more_cases_than_rows(engine, monkeypatch):
    monkeypatch.setattr(_frames, "_MOST_ROWS", 16)
    label, score = sample(normal, n=999)
    got = tabulate_frame(engine(pa.table({"y": label, "s": score})), label="y", score="s")
    assert got == rs.tabulate(label, score)


@pytest.mark.usefixtures("no_queries")
@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("shape", [normal, clustered, all_integers, single_precision, infinite])
def test_a_local_session_of_spark_hands_over_its_cases(spark, monkeypatch, shape, higher):
    monkeypatch.setattr(_frames, "_MOST_ROWS", 16)
    label, score = sample(shape)
    frame = spark.createDataFrame(pa.table({"y": label, "s": score}))
    got = tabulate_frame(frame, label="y", score="s", higher_is_positive=higher)
    want = rs.tabulate(label, score, higher_is_positive=higher)
    assert got == want
    assert got.score.dtype == want.score.dtype


@pytest.mark.parametrize("why", ["too many", "elsewhere", "refused"])
def test_what_spark_does_not_hand_over_is_left_to_queries(spark, monkeypatch, why):
    from py4j.protocol import Py4JError

    collect = nw.LazyFrame.collect

    def refuse(frame, *backend, **options):
        assert why == "refused" or not backend
        if backend:
            msg = "Total size of serialized results is bigger than spark.driver.maxResultSize"
            raise Py4JError(msg)
        return collect(frame, **options)

    rows = [(i % 3 == 0, float(i % 50)) for i in range(200)]
    frame = spark.createDataFrame(rows, ["y", "s"])
    monkeypatch.setattr(nw.LazyFrame, "collect", refuse)
    if why == "elsewhere":
        monkeypatch.setattr(batches, "_is_local", lambda _: False)
    most = 100 if why == "too many" else None
    got = tabulate_frame(frame, label="y", score="s", max_rows=most)
    assert got == rs.tabulate(*zip(*rows, strict=True))


@pytest.mark.parametrize(
    ("master", "local"),
    [
        ("local", True),
        ("local[2]", True),
        ("local[*]", True),
        ("local-cluster[2,1,512]", False),
        ("yarn", False),
        ("spark://host:7077", False),
    ],
)
def test_only_sessions_on_this_machine_are_local(master, local):
    session = SimpleNamespace(sparkContext=SimpleNamespace(master=master))
    assert batches._is_local(session) is local
    assert not batches._is_local(object())


def test_of_cases_in_other_processes_only_counts_come_back(monkeypatch):
    monkeypatch.setattr(_frames, "_MOST_ROWS", 100)
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    from dask import config
    from dask.local import get_sync

    def elsewhere(graph, keys, **options):
        """Hand over each answer as processes do."""
        return get_sync(graph, keys, dumps=pickle.dumps, loads=pickle.loads, **options)

    label, score = sample(normal, n=999)
    frame = dd.from_pandas(pa.table({"y": label, "s": score}).to_pandas(), npartitions=3)
    with config.set(scheduler=elsewhere), pytest.warns(UserWarning, match="max_rows=100"):
        table = tabulate_frame(frame, label="y", score="s", tolerance=0.1)
    assert len(table) <= 100
    assert_certain(table, rs.tabulate(label, score))


def test_parts_of_dask_are_merged_in_pairs():
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    label, score = sample(normal, n=999)
    frame = pa.table({"y": label, "s": score}).to_pandas()
    for parts in (1, 2, 7):
        cut = dd.from_pandas(frame, npartitions=parts)
        assert tabulate_frame(cut, label="y", score="s") == rs.tabulate(label, score)


# --- what comes to the driver ------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES[:3], indirect=True)
def test_only_counts_come_to_the_driver(engine, monkeypatch):
    import narwhals.stable.v2 as nw

    label, score = sample(normal, n=20_000)
    frame = engine(pa.table({"y": label, "s": score, "name": np.arange(label.size)}))
    sizes, names = [], set()
    collect = nw.LazyFrame.collect

    def spy(self, *args, **options):
        answer = collect(self, *args, **options)
        sizes.append(len(answer))
        names.update(answer.columns)
        return answer

    monkeypatch.setattr(nw.LazyFrame, "collect", spy)
    binned(frame, max_rows=1000, tolerance=1e-3)
    assert len(sizes) >= 3
    assert max(sizes) <= 1000
    told = {"n", "finite", "low", "high", "positive", "zeros", "ones", "minus", "times", "scores"}
    assert names <= told | {"key", "pos", "neg", "missing", "missing_label", "missing_score"}


@pytest.mark.parametrize("make", [duckdb_relation, ibis_table])
@pytest.mark.parametrize("after", [1, 2, 3, 4])
def test_an_interrupt_leaves_nothing_in_the_engine(make, after, monkeypatch):
    label, score = sample(normal, n=20_000)
    frame = make(pa.table({"y": label, "s": score}))

    def there():
        names = "select table_name from information_schema.tables"
        if make is duckdb_relation:
            return frame.query("x", names).fetchall()
        return frame.get_backend().con.execute(names).fetchall()

    before = there()
    answers = []
    fetch = _engine.fetch

    def interrupted(asked):
        answers.append(fetch(asked))
        if len(answers) == after:
            raise KeyboardInterrupt
        return answers[-1]

    with monkeypatch.context() as patch:
        patch.setattr(_engine, "fetch", interrupted)
        with pytest.raises(KeyboardInterrupt):
            binned(frame, max_rows=500, tolerance=1e-6)
    assert len(answers) == after
    answers.clear()
    gc.collect()
    assert there() == before
    assert tabulate_frame(frame, label="y", score="s").n_pos == label.sum()  # and it still works


@pytest.mark.parametrize(
    "said", ["Query interrupted", "INTERRUPT Error: Interrupted!", "INTERRUPT Error: interrupted"]
)
@pytest.mark.parametrize("more", [{}, {"by": "g"}, {"weight": "w"}], ids=str)
def test_an_interrupted_query_is_a_keyboard_interrupt(said, more, monkeypatch):
    """DuckDB tells Ctrl-C as an error of its own, of which a program does not end."""
    label, score = sample(normal, n=200)
    table = pa.table({"y": label, "s": score, "g": label, "w": np.ones(200)})
    frame = duckdb_relation(table)

    def interrupted(*_, **__):
        raise RuntimeError(said)

    class Reader:
        def __enter__(self):
            return map(interrupted, [0])

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(nw.LazyFrame, "collect", interrupted)
    monkeypatch.setattr(type(frame), "to_arrow_reader", lambda *_: Reader(), raising=False)
    with pytest.raises(KeyboardInterrupt):
        tabulate_frame(frame, label="y", score="s", **more)


def test_other_errors_of_an_engine_stay_what_they_are(monkeypatch):
    def broken(*_, **__):
        msg = "Query interrupted by a full disk"
        raise RuntimeError(msg)

    label, score = sample(normal, n=200)
    frame = duckdb_relation(pa.table({"y": label, "s": score, "w": np.ones(200)}))
    monkeypatch.setattr(nw.LazyFrame, "collect", broken)
    with pytest.raises(RuntimeError, match="by a full disk"):
        tabulate_frame(frame, label="y", score="s", weight="w")


def test_progress_names_the_pass_and_is_wiped(monkeypatch, capsys):
    label, score = sample(normal, n=20_000)
    frame = duckdb_relation(pa.table({"y": label, "s": score}))
    monkeypatch.setattr(_progress, "_PATIENCE", 0.001)
    monkeypatch.setattr(_progress, "_INTERVAL", 0.0002)
    binned(frame, max_rows=500, progress=False)
    binned(frame, max_rows=500)  # no terminal
    assert capsys.readouterr().err == ""
    binned(frame, max_rows=500, progress=True)
    shown = capsys.readouterr().err
    assert "\rcounting in duckdb, looking at all cases: 0 s" in shown
    assert "finer bins, round 1" in shown
    assert shown.endswith(" \r")


def test_only_the_columns_that_are_named_are_read():
    frame = lazy_polars(pa.table({"y": [0, 1], "s": [1, 2], "other": ["x", "y"]}))
    broken = frame.with_columns(other=pl.col("other").cast(pl.Int64))  # fails once it is read
    assert len(tabulate_frame(broken, label="y", score="s")) == 2


def test_a_frame_that_changes_is_noticed(monkeypatch):
    label, score = sample(normal)
    frame = lazy_polars(pa.table({"y": label, "s": score}))
    whole = _engine.count_parts

    def fewer(source, grid, chain):
        bins = whole(source, grid, chain)
        return bins.each(lambda column: column[1:])

    monkeypatch.setattr(_engine, "count_parts", fewer)
    with pytest.raises(ValueError, match="changed while it was counted"):
        binned(frame, max_rows=500)


def test_a_dask_worker_may_die(cluster):
    import dask.dataframe as dd

    label, score = sample(normal, n=8000)
    alive = {int(worker.pid) for worker in cluster.workers.values()}

    def slowly(part):
        time.sleep(0.1)
        return part

    frame = dd.from_pandas(pa.table({"y": label, "s": score}).to_pandas(), npartitions=16)
    frame = frame.map_partitions(slowly, meta=frame._meta)
    killer = threading.Timer(0.5, lambda: os.kill(min(alive), 9))
    killer.start()
    table = tabulate_frame(frame, label="y", score="s")  # two passes of a second or so
    assert not killer.is_alive()
    assert table == rs.tabulate(label, score)
    deadline = time.monotonic() + 120
    while {int(w.pid or 0) for w in cluster.workers.values()} == alive:  # one is started anew
        assert time.monotonic() < deadline
        time.sleep(0.1)


# --- input ------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        ([True, False, True], None),
        ([1, 0, 1], None),
        ([1, -1, 1], None),
        ([1.0, 0.0, 1.0], None),
        ([1, 1, 1], None),
        (["b", "a", "b"], "b"),
        ([7, 3, 7], 7),
        ([True, False, True], True),
        ([False, True, False], False),
        ([datetime.date(2024, 1, 2), datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)], ...),
    ],
)
def test_labels(make, labels, pos_label):
    if pos_label is ...:
        pos_label = labels[0]
    got = tabulate_frame(
        make(y=labels, s=[3.0, 2.0, 1.0]), label="y", score="s", pos_label=pos_label
    )
    positive = pa.array(labels).to_pylist()
    assert got.pos.tolist() == [int(x == (1 if pos_label is None else pos_label)) for x in positive]


def test_categories_and_decimals():
    frame = pl.LazyFrame({"y": ["a", "b"], "s": ["0.1", "0.25"]}).cast(
        {"y": pl.Categorical, "s": pl.Decimal(10, 2)}
    )
    got = tabulate_frame(frame, label="y", score="s", pos_label="b")
    assert got == rs.tabulate([0, 1], [0.1, 0.25])


def test_boolean_and_unsigned_scores(make):
    got = tabulate_frame(make(y=[0, 1], s=[False, True]), label="y", score="s")
    assert got.score.tolist() == [1, 0]
    large = np.array([2**64 - 1, 2**64 - 2, 5], dtype=np.uint64)
    got = tabulate_frame(make(y=[0, 1, 1], s=large), label="y", score="s")
    assert got == rs.tabulate([0, 1, 1], large)
    many = np.arange(3000, dtype=np.uint64) + np.uint64(2**63)
    label = np.arange(3000) % 3 == 0
    table = binned(make(y=label, s=many), max_rows=500, tolerance=1e-2)
    assert_certain(table, rs.tabulate(label, many))


def test_more_than_two_labels(make):
    frame = make(y=["a", "b", "c"], s=[1.0, 2.0, 3.0])
    with pytest.warns(UserWarning, match="'b' is taken as positive, the rest"):
        table = tabulate_frame(frame, label="y", score="s", pos_label="b")
    assert table.pos.tolist() == [0, 1, 0]
    many = make(y=np.arange(2000), s=np.arange(2000))
    with pytest.warns(UserWarning, match="more than 1000 values: 1999 is taken"):
        assert tabulate_frame(many, label="y", score="s", pos_label=1999).n_pos == 1


def test_missing_values(make):
    frame = make(
        y=[1, 0, None, 1, 0, 1],
        s=[0.5, None, 0.1, float("nan"), 0.2, 0.7],
        g=["a", "a", "a", "a", "b", None],
    )
    names = {"label": "y", "score": "s"}
    with pytest.raises(ValueError, match="y has 1 missing value"):
        tabulate_frame(frame, **names)
    with pytest.warns(UserWarning, match=r"3 of 6 cases omitted .*\(1 in y, 2 in s\)"):
        table = tabulate_frame(frame, **names, missing="omit")
    assert table == rs.tabulate([1, 0, 1], [0.5, 0.2, 0.7])
    with pytest.warns(UserWarning, match="1 in g"):
        parts = tabulate_frame(frame, **names, by="g", missing="omit")
    assert {name: len(part) for name, part in parts.items()} == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"label": "lable"}, ValueError, "no column 'lable' for the label. Did you mean 'label'?"),
        ({"score": "label"}, ValueError, "'label' is both label and score"),
        ({"score": "text"}, TypeError, "'text' is of type String, so it cannot be the score"),
        ({"label": "text"}, ValueError, r"text has the values 'a', 'b', 'c'; which of them"),
        ({"label": "three"}, ValueError, r"three has the values 0, 1, 2; which of them"),
        ({"label": "text", "pos_label": "B"}, ValueError, "does not occur .* Did you mean 'b'"),
        ({"label": "three", "pos_label": "1"}, ValueError, "'1' does not occur"),
        ({"weight": "minus"}, ValueError, r"minus has 1 negative or infinite value\."),
        ({"weight": "zero"}, ValueError, "zero is zero for every case"),
        ({"weight": "tiny"}, ValueError, "whose square may not fit float64"),
        ({"missing": "drop"}, ValueError, "missing is 'drop'"),
        ({"tolerance": -1.0}, ValueError, "tolerance is -1.0"),
        ({"max_rows": 3}, ValueError, "max_rows is 3"),
        ({"tolerence": 1.0}, TypeError, "tabulate_frame has no argument 'tolerence'"),
    ],
)
def test_bad_input(make, options, error, message):
    frame = make(
        label=[0, 1, 1],
        score=[0.1, 0.2, 0.3],
        text=["a", "b", "c"],
        three=[0, 1, 2],
        minus=[1.0, -1.0, 1.0],
        zero=[0.0, 0.0, 0.0],
        tiny=[1e-200, 1e-200, 0.0],
    )
    with pytest.raises(error, match=message):
        tabulate_frame(frame, **({"label": "label", "score": "score"} | options))


def test_what_is_no_frame():
    with pytest.raises(TypeError, match=r"frame is a dict.*rocspace.tabulate"):
        tabulate_frame({"y": [1], "s": [1]}, label="y", score="s")
    empty = pl.LazyFrame({"y": [], "s": []}, schema={"y": pl.Int64, "s": pl.Float64})
    with pytest.raises(ValueError, match="the frame is empty"):
        tabulate_frame(empty, label="y", score="s")
    gone = pl.LazyFrame({"y": [1], "s": [None]}, schema={"y": pl.Int64, "s": pl.Float64})
    with pytest.raises(ValueError, match="omitted as missing"):
        tabulate_frame(gone, label="y", score="s", missing="omit")


def test_too_many_groups_for_bins():
    label, score = sample(normal)
    frame = lazy_polars(pa.table({"y": label, "s": score, "g": np.arange(label.size) // 4}))
    with pytest.raises(ValueError, match="Allow at least 16000"):
        tabulate_frame(frame, label="y", score="s", by="g", max_rows=900)


# --- and back ------------------------------------------------------------


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_tables_and_curves_become_frames(backend):
    pytest.importorskip(backend)
    table = rs.tabulate([0, 1, 1], [1.0, 1.0, 3.0])
    frame = to_frame(table, backend=backend)
    assert type(frame).__module__.startswith(backend)
    back = rs.ScoreTable.from_counts(frame["score"], frame["pos"], frame["neg"])
    assert back == table
    curve = to_frame(rs.roc_curve(table), backend=backend)
    assert len(curve["tp"]) == 3
    with pytest.raises(TypeError, match="float has no columns"):
        to_frame(0.5)


def test_frames_are_read_from_files(tmp_path: Path):
    label, score = sample(normal)
    pl.DataFrame({"y": label, "s": score}).write_parquet(tmp_path / "cases.parquet")
    frame = pl.scan_parquet(tmp_path / "cases.parquet")
    assert tabulate_frame(frame, label="y", score="s") == rs.tabulate(label, score)
