"""Python loads this at its start where this folder is on PYTHONPATH: the children of tests."""

import network_guard  # noqa: F401 - importing it is the point
