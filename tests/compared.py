"""Which entries of another program's answer a test has looked at, and which it passed over."""

SEEN: dict[str, set[str]] = {}
WHOLE: dict[str, set[str]] = {}


class _Answer(dict):
    """A dictionary that writes down which of its entries were read."""

    def __init__(self, entries, file, place):
        super().__init__(entries)
        self._file, self._place = file, place

    def __getitem__(self, key):
        value = super().__getitem__(key)
        SEEN[self._file].add(f"{self._place}{key}")
        return value

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def items(self):
        return [(key, self[key]) for key in self]

    def values(self):
        return [self[key] for key in self]


def watched(name, found):
    """Return an answer of that name that knows what was read of it."""
    SEEN.setdefault(name, set())
    WHOLE[name] = {place for place in _leaves(found) if not place.startswith("_meta.")}
    return _watched(found, name, "")


def passed_over():
    """Return the file and place of each entry that no test has read."""
    return {f"{name}.{place}" for name, every in WHOLE.items() for place in every - SEEN[name]}


def _watched(value, file, place):
    if isinstance(value, dict):
        entries = {key: _watched(x, file, f"{place}{key}.") for key, x in value.items()}
        return _Answer(entries, file, place)
    if isinstance(value, list):
        return [_watched(x, file, f"{place}*.") for x in value]
    return value


def _leaves(value, place=""):
    """Yield the places of all entries without entries of their own; of rows, what they have."""
    if isinstance(value, dict):
        for key, x in value.items():
            if isinstance(x, dict):
                yield from _leaves(x, f"{place}{key}.")
            elif isinstance(x, list) and any(isinstance(row, dict) for row in x):
                for row in x:
                    yield from _leaves(row, f"{place}{key}.*.")
            else:
                yield f"{place}{key}"
