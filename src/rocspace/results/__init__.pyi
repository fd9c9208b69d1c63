from rocspace.results.estimates import Difference as Difference
from rocspace.results.estimates import Estimate as Estimate
from rocspace.results.estimates import Scale as Scale
from rocspace.results.interval import Interval as Interval
from rocspace.results.point import OperatingPoint as OperatingPoint
from rocspace.results.test import Alternative as Alternative
from rocspace.results.test import Law as Law
from rocspace.results.test import TestResult as TestResult
