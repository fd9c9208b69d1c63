"""Who may ask, from where, and what every answer says to the browser.

A page of another site cannot ask (`Origin`, `Sec-Fetch-Site`), nor can one reach this server under
a name of its own (`Host`). No answer is kept by a cache.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
REPORT_POLICY = "sandbox allow-scripts allow-downloads allow-modals; frame-ancestors 'self'"
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class RefusedError(Exception):
    """A request that is not answered."""


def check_host(host: str, allowed: Iterable[str], *, by_address: bool) -> None:
    """Refuse a name under which this server is not known, as another site's page would use."""
    name = _name_of(host)
    if name in {each.lower() for each in allowed} or (by_address and _is_address(name)):
        return
    said = "This server is not known by that name. Open the address that rocspace serve printed."
    raise RefusedError(said)


def _name_of(host: str) -> str:
    """Return the host without its port."""
    host = host.strip().lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def check_origin(method: str, path: str, headers: Mapping[str, str]) -> None:
    """Refuse what another site's page asks; opening the first page from a link is allowed."""
    said = "Requests from other sites are refused."
    site = headers.get("sec-fetch-site")
    opens = method == "GET" and path == "/" and headers.get("sec-fetch-dest") == "document"
    if site not in (None, "same-origin", "none") and not opens:
        raise RefusedError(said)
    origin = headers.get("origin")
    if origin is not None and _place_of(origin) != headers.get("host", "").lower():
        raise RefusedError(said)


def _place_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # such as a bracket that is not closed
        return None


def same_token(given: str | None, token: str) -> bool:
    """Compare two tokens in a time that does not tell where they differ."""
    return secrets.compare_digest((given or "").encode(), token.encode())
