"""Run the application on this computer, and open the browser."""

from __future__ import annotations

import ipaddress
import logging
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

from rocspace._base.errors import Argument, ArgumentError
from rocspace.web.app import require_packages, temporary, web_app
from rocspace.web.guard import LOOPBACK
from rocspace.web.limits import Limits
from rocspace.web.sessions import private_folder

_LIMITS = Limits()
_SHORTEST = 12  # letters of a token


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    token: str | None = None,
    open_browser: bool = True,
    limits: Limits = _LIMITS,
    tell: Callable[[str], object] = print,
) -> None:
    """Run the web app until it is interrupted.

    Parameters
    ----------
    host : str, default "127.0.0.1"
        The address to listen on. Any but this computer's own lets others in, who then need a token.
    port : int, default 8765
        The port; the next free one is taken if it is in use, and any free one for 0.
    token : str, optional
        What visitors must know, 12 letters or more; by default one is made up where it is needed.
    open_browser : bool, default True
        Whether to open the page in the browser.
    limits : Limits
        How much of the computer a visitor may use.
    tell : callable
        Called with each line that says where the page is.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C, when all files are deleted.
    ModuleNotFoundError
        If a package of the extra ``web`` or ``app`` is missing.
    OSError
        If the address cannot be listened on.
    ValueError
        If the token is too short, or the port is out of range.

    Notes
    -----
    Files are kept in a private folder below that for temporary files, which is deleted at the end,
    also at SIGTERM. What a server that was killed left behind is deleted by the next one. The
    connection is not encrypted: where other computers are let in, put a server in front that
    encrypts it, such as nginx.

    References
    ----------
    No source: shows what other functions compute.

    Examples
    --------
    >>> serve(port=70000)
    Traceback (most recent call last):
        ...
    rocspace._base.errors.ArgumentError: port is 70000. It must be a whole number from 0 to 65535.
    """
    if isinstance(port, bool) or not 0 <= port <= 65535:
        raise ArgumentError(
            Argument("port"), f" is {port}. It must be a whole number from 0 to 65535."
        )
    if token is not None and len(token) < _SHORTEST:
        why = (
            f" has {len(token)} letters. Give at least {_SHORTEST}, or leave it out for a new one."
        )
        raise ArgumentError(Argument("token"), why)
    require_packages()
    import uvicorn

    local = _is_local(host)
    if token is None and not local:
        token = secrets.token_urlsafe(24)
    _end_in_order()
    names = {*LOOPBACK, host, *(() if local else (socket.gethostname(), socket.getfqdn()))}
    with _listen(host, port) as listening, _private() as folder:
        # What is wrong with a request is said to the visitor, not in the terminal.
        logging.getLogger("python_multipart").setLevel(logging.ERROR)
        app = web_app(limits=limits, hosts=tuple(names), token=token, folder=folder)
        temporary(folder)
        address = _address(host, listening.getsockname()[1], token)
        _say_where(address, tell, limits, local=local)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
            timeout_keep_alive=30,
        )
        uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def _private() -> Iterator[Path]:
    """Make the folder for the files of visitors; whatever ends the server, none is left."""
    import shutil

    folder = private_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_local(host: str) -> bool:
    """Say whether an address is of this computer only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    """Listen on the port, or on the next that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for each in range(port, min(port + 20, 65536)):
        listening = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host.strip("[]"), each))
            listening.listen()  # who reads the address may come at once, and nobody else takes it
        except OSError as error:
            listening.close()
            failed = error
            if isinstance(error, socket.gaierror) or each == 0:
                break
        else:
            return listening
    msg = (
        f"Cannot listen on {host}, port {port}: {failed.strerror}. Choose another --host or --port."
    )
    raise OSError(msg)


def _address(host: str, port: int, token: str | None) -> str:
    shown = socket.gethostname() if host in ("0.0.0.0", "::") else host
    name = f"[{shown}]" if ":" in shown else shown
    return f"http://{name}:{port}/" + ("" if token is None else f"?token={quote(token)}")


def _say_where(address: str, tell: Callable[[str], object], limits: Limits, *, local: bool) -> None:
    text = limits.described()
    tell(f"rocspace is at {address}")
    tell(
        f"Files up to {text['size']}, {text['seconds']} for each report; files are deleted when "
        f"you stop, or after {text['minutes']} without use. Ctrl-C stops."
    )
    if not local:
        tell("Others can open that address. The connection is not encrypted.")


def _end_in_order() -> None:
    """Let SIGTERM and a closed terminal end the program as Ctrl-C does: in order."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        with suppress(AttributeError, ValueError):
            number = getattr(signal, name)
            if signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, _end)


def _end(number: int, _: object) -> NoReturn:
    sys.exit(128 + number)
