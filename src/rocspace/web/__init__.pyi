from rocspace.web.app import web_app as web_app
from rocspace.web.limits import Limits as Limits
from rocspace.web.server import serve as serve
