from rocspace.stream.federated import SiteCounts as SiteCounts
from rocspace.stream.federated import coarsen as coarsen
from rocspace.stream.federated import pool as pool
from rocspace.stream.refine import RefinedArea as RefinedArea
from rocspace.stream.refine import Refinement as Refinement
from rocspace.stream.refine import refine_auc as refine_auc
from rocspace.stream.tabulator import Tabulator as Tabulator
