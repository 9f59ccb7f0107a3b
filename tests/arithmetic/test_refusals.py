"""What is no number is refused in one line that says what would be."""

import pytest

from codedtheory.arithmetic import EXACT, FLOAT, approximate, ball


@pytest.mark.parametrize("numbers", [FLOAT, EXACT, ball(64)])
def test_ragged_tables_are_told_the_lengths_of_their_rows(numbers):
    with pytest.raises(ValueError, match=r"rows of equal length, got lengths \[1, 2\]"):
        numbers.array([[1, 2], [3]])
    assert numbers.array([[1, 2], [3, 4]]).shape == (2, 2)
    assert numbers.array([]).shape == (0,)


@pytest.mark.parametrize("numbers", [FLOAT, ball(64)])
def test_functions_outside_their_domain_name_the_number(numbers):
    with pytest.raises(ValueError, match=r"sqrt needs a number that is not negative, got -1; use complex_ball"):
        numbers.sqrt(-1)
    for x in (0, -2):
        with pytest.raises(ValueError, match=f"log needs a positive number, got {x}"):
            numbers.log(x)
    assert approximate(numbers.sqrt(4)) == 2
    assert approximate(numbers.log(1)) == 0


def test_what_is_no_number_has_no_double():
    with pytest.raises(ValueError, match="'abc' is not a rational number; write"):
        FLOAT.number("abc")
    for x in (None, 1j):
        with pytest.raises(TypeError, match="is not a real number"):
            FLOAT.number(x)
    assert FLOAT.number("1/4") == 0.25
    with pytest.raises(OverflowError):
        FLOAT.number("1e400")
