from rocspace.results.estimates import Alternative as Alternative
from rocspace.results.estimates import Difference as Difference
from rocspace.results.estimates import Estimate as Estimate
from rocspace.results.estimates import Interval as Interval
from rocspace.results.estimates import Law as Law
from rocspace.results.estimates import OperatingPoint as OperatingPoint
from rocspace.results.estimates import Scale as Scale
from rocspace.results.estimates import TestResult as TestResult
