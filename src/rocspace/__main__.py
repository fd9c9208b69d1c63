"""``python -m rocspace`` is the command line."""

from rocspace.cli import main

if __name__ == "__main__":
    main()
