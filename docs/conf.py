"""How the documentation is built: `make docs`. Nothing is fetched from the network."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

import rocspace  # noqa: E402

project = "rocspace"
author = copyright = "The rocspace developers"
version = release = rocspace.__version__
language = "en-GB"

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
extensions += [
    "bibliography",
    "gallery",
    "house",
    "measured",
    "modules",
    "plots",
    "registry",
    "tutorials",
]  # ours, in _ext
exclude_patterns = ["_build", "_ext", "generated"]

smartquotes = False  # quoted words are strings of the code
default_role = "py:obj"
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "none"  # the docstrings name the types, in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

myst_enable_extensions = ["colon_fence", "deflist", "tasklist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "rocspace"
html_static_path = ["_static"]
html_css_files = ["rocspace.css"]
html_js_files = ["rocspace.js"]
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
