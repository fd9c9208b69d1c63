"""Take the pictures of the report's first screen, and of the web app, that the docs show.

    python tools/make_screenshot.py [docs/_static/report-top.png] [docs/_static/web-app.png]

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
SCALE = 1.25
# Left, top, right and bottom of what is shown of the page.
FIRST, APP = (24, 10, 1176, 800), (0, 0, 1280, 860)
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


def serve_example() -> tuple[subprocess.Popen[str], str]:
    """Start the web app; return it, and the address of an example in it."""
    command = [sys.executable, "-m", "rocspace", "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().split()[-1]
    return process, f"{address}#example=wdbc"


def take(page: str, picture: Path, folder: Path, shown: tuple[int, int, int, int]) -> None:
    picture.parent.mkdir(parents=True, exist_ok=True)
    command = [
        browser(),
        *FLAGS,
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={shown[2] + shown[0]},{shown[3] + 100}",
        f"--force-device-scale-factor={SCALE}",
        f"--screenshot={picture.resolve()}",
        page,
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with Image.open(picture) as whole:
        part = whole.convert("RGB").crop(tuple(round(SCALE * at) for at in shown))
    part.quantize(128, dither=Image.Dither.NONE).save(picture, optimize=True)


def main() -> None:
    places = [ROOT / "docs/_static/report-top.png", ROOT / "docs/_static/web-app.png"]
    report, app = [*map(Path, sys.argv[1:]), *places[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        take(write_adult_report(folder).as_uri(), report, folder, FIRST)
        server, address = serve_example()
        try:
            take(address, app, folder, APP)
        finally:
            server.terminate()
            server.wait()
    for target in (report, app):
        print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
