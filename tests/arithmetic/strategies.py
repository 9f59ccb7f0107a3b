"""Random exact numbers and matrices for property tests."""

from fractions import Fraction

from hypothesis import strategies as st

from codedtheory.arithmetic import Algebraic

fractions = st.builds(Fraction, st.integers(-30, 30), st.integers(1, 12))
conductors = st.sampled_from([1, 3, 4, 5, 7, 8, 9, 12, 15])


def matrices(rows, columns, entries=fractions):
    return st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def square_matrices(entries=fractions, largest=4):
    return st.integers(1, largest).flatmap(lambda n: matrices(n, n, entries))


def rectangular_matrices(entries=fractions, largest=4):
    sizes = st.tuples(st.integers(1, largest), st.integers(1, largest))
    return sizes.flatmap(lambda shape: matrices(*shape, entries))


@st.composite
def algebraic_numbers(draw, fields=conductors):
    n = draw(fields)
    return Algebraic(n, draw(st.lists(fractions, max_size=6)))


@st.composite
def real_algebraic_numbers(draw, fields=conductors):
    x = draw(algebraic_numbers(fields))
    return x + x.conjugate()
