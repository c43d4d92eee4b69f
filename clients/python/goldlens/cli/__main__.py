"""`python -m goldlens.cli` is the command `goldlens`."""

from goldlens.cli.main import main

if __name__ == "__main__":
    main()
