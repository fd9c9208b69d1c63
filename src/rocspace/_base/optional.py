"""Import of optional packages."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def require(module: str, *, extra: str) -> ModuleType:
    """Import an optional module, or say how to install it.

    Call it inside the function that needs the module, so that importing
    rocspace stays light and works without any optional package.

    Parameters
    ----------
    module : str
        Dotted name, such as ``"matplotlib.pyplot"``.
    extra : str
        The extra of rocspace that installs it.

    Returns
    -------
    ModuleType
        The imported module.

    Raises
    ------
    ModuleNotFoundError
        If the package is not installed. A package that is installed but
        broken raises its own error.

    Examples
    --------
    >>> require("math", extra="app").sqrt(9)
    3.0
    >>> require("no_such_package.part", extra="app")
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: no_such_package is not installed. Run: pip install 'rocspace[app]'
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise  # it is installed, but broken: let the true cause show
        msg = f"{package} is not installed. Run: pip install 'rocspace[{extra}]'"
        raise ModuleNotFoundError(msg, name=package) from None
