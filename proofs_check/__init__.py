"""The catalogue: the published claims about coded and approximate distributed computing, as executable checks."""
