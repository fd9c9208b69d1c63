from rocspace.datasets.bundled import Answer as Answer
from rocspace.datasets.bundled import Dataset as Dataset
from rocspace.datasets.bundled import load as load
from rocspace.datasets.bundled import names as names
from rocspace.datasets.bundled import path as path
