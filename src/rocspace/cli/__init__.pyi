from rocspace.cli.app import main as main
from rocspace.cli.app import run as run
