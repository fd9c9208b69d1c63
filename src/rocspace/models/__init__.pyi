from rocspace.models.binormal import fit_binormal as fit_binormal
from rocspace.models.binormal import fit_probit_line as fit_probit_line
from rocspace.models.registry import MODELS as MODELS
from rocspace.models.registry import Model as Model
from rocspace.models.registry import fit_roc as fit_roc
from rocspace.models.summary_roc import SummaryRoc as SummaryRoc
from rocspace.models.summary_roc import fit_summary_roc as fit_summary_roc
