"""The command line: read columns, call one function, print text, JSON or HTML.

``rocspace --help`` lists the commands. Exit status: 0, or 2 if something asked for cannot be
done, 3 if an area is below ``--fail-below``, 1 if rocspace itself is at fault, 130 after Ctrl-C,
141 if what it printed to was closed.
An error is one line on standard error; ``ROCSPACE_TRACEBACK=1`` shows where it arose.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
