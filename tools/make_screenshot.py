"""Take the picture of the report's first screen that the README shows.

    python tools/make_screenshot.py [docs/_static/report-top.png]

Needs Chromium (Debian: apt-get install chromium) and Pillow, which comes with matplotlib.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from rocspace import datasets, pair_scores
from rocspace.report import More, summarise, write_html

ROOT = Path(__file__).parents[1]
SIZE, SCALE = (1200, 900), 1.25
FIRST = (24, 10, 1176, 800)  # left, top, right and bottom of it on the page
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--virtual-time-budget=8000",
)


def browser() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if found := shutil.which(name):
            return found
    sys.exit("No Chromium here. On Debian: apt-get install chromium")


def write_adult_report(folder: Path) -> Path:
    data = datasets.load("adult_scores")
    cases = pair_scores(data.y_true, {name: data.columns[name] for name in data.scores})
    tables = {name: cases.table(name) for name in cases.names}
    source = {
        "file": data.path.name,
        "format": "csv",
        "rows": len(data),
        "label": data.label,
        "positive": data.positive,
        "dropped": dict.fromkeys((data.label, *data.scores), 0),
    }
    more = More(progress=False)
    summary = summarise(tables, data=cases, more=more, source=source)
    return write_html(summary, folder / "report.html")


def take(page: Path, picture: Path, folder: Path) -> None:
    picture.parent.mkdir(parents=True, exist_ok=True)
    command = [
        browser(),
        *FLAGS,
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={SIZE[0]},{SIZE[1]}",
        f"--force-device-scale-factor={SCALE}",
        f"--screenshot={picture.resolve()}",
        page.as_uri(),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with Image.open(picture) as whole:
        part = whole.convert("RGB").crop(tuple(round(SCALE * at) for at in FIRST))
    part.quantize(128, dither=Image.Dither.NONE).save(picture, optimize=True)


def main() -> None:
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/_static/report-top.png")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        take(write_adult_report(folder), target, folder)
    print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
