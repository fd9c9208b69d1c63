"""Take the pictures of the report's first screen, and of the web app, that the docs show.

    python tools/make_screenshot.py [docs/_static/report-top.png] [docs/_static/web-app.png]

Needs Chromium (Debian: apt-get install chromium), Playwright, and Pillow, which comes with
matplotlib.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from rocspace import datasets, pair_scores
from rocspace.report import More, summarise, write_html

ROOT = Path(__file__).parents[1]
SIZE, SCALE = (1200, 900), 1.25
FIRST = (24, 10, 1176, 800)  # left, top, right and bottom of it on the page
APP = (1280, 860)
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


def take_app(address: str, picture: Path) -> None:
    """Take the picture of the web app once its report, in a frame, has been drawn."""
    with sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        size = {"width": APP[0], "height": APP[1]}
        page = chromium.new_page(viewport=size, device_scale_factor=SCALE)
        page.goto(address)
        drawn = page.frame_locator("#report").locator("html[data-drawn]")
        drawn.wait_for(state="attached", timeout=120_000)
        page.screenshot(path=picture)
        chromium.close()
    shrink(picture, (0, 0, *APP))


def shrink(picture: Path, shown: tuple[int, int, int, int]) -> None:
    with Image.open(picture) as whole:
        part = whole.convert("RGB").crop(tuple(round(SCALE * at) for at in shown))
    part.quantize(128, dither=Image.Dither.NONE).save(picture, optimize=True)


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
    shrink(picture, FIRST)


def main() -> None:
    places = [ROOT / "docs/_static/report-top.png", ROOT / "docs/_static/web-app.png"]
    report, app = [*map(Path, sys.argv[1:]), *places[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        take(write_adult_report(folder), report, folder)
        server, address = serve_example()
        try:
            take_app(address, app)
        finally:
            server.terminate()
            server.wait()
    for target in (report, app):
        print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
