from rocspace.models.summary_roc import SummaryRoc as SummaryRoc
from rocspace.models.summary_roc import fit_summary_roc as fit_summary_roc
