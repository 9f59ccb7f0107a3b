"""Ages of pipelined gradients against a simulation of the slots."""

import pytest

from codedtheory.coding.pipelined_ages import copy_ages, fresh_partitions, message_ages, slot_age, slot_partition

CASES = [(n, s, "cyclic") for n in range(1, 8) for s in range(n)] + [
    (n, s, "fractional") for n in range(1, 9) for s in range(n) if n % (s + 1) == 0
]


@pytest.mark.parametrize(("n", "s", "placement"), CASES)
def test_ages_follow_from_overwriting_one_slot_a_step(n, s, placement):
    copies = s + 1
    evaluated = {(r, i): None for r in range(n) for i in range(copies)}
    for step in range(3 * copies):
        for r in range(n):
            evaluated[r, step % copies] = step
        if step < copies - 1:
            continue  # slots still hold the initial gradient
        for r in range(n):
            simulated = {slot_partition(r, i, n, copies, placement): step - evaluated[r, i] for i in range(copies)}
            assert message_ages(r, step, n, s, placement) == simulated


@pytest.mark.parametrize(("n", "s", "placement"), CASES)
def test_every_message_has_each_age_once(n, s, placement):
    for step in range(2 * s + 3):
        for worker in range(n):
            held = message_ages(worker, step, n, s, placement)
            assert sorted(held.values()) == list(range(s + 1))


@pytest.mark.parametrize(("n", "s", "placement"), CASES)
def test_copies_of_a_partition(n, s, placement):
    for step in range(s + 2):
        fresh = set()
        for partition in range(n):
            ages = sorted(copy_ages(partition, step, n, s, placement).values())
            assert ages == (list(range(s + 1)) if placement == "cyclic" else [ages[0]] * (s + 1))
            if 0 in ages:
                fresh.add(partition)
        assert fresh_partitions(step, n, s, placement) == fresh
        assert len(fresh) == (n if placement == "cyclic" else n // (s + 1))


def test_bad_input():
    with pytest.raises(ValueError, match="slot must be"):
        slot_age(3, 0, 3)
    with pytest.raises(ValueError, match="divide"):
        message_ages(0, 0, 5, 1, "fractional")
    with pytest.raises(ValueError, match="placement"):
        message_ages(0, 0, 4, 1, "random")
    with pytest.raises(ValueError, match="copies must be at most 4"):
        message_ages(0, 0, 4, 4)
