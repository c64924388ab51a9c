# SPDX-License-Identifier: MIT
"""Instances of the module's types: pickles of any protocol, and those that Python would make."""
import copy
import inspect
import pickle
import sys

import pytest

import physmem
from physmem import _physmem
from analyzer import SAMPLES

KINDS = [kind for kind in vars(_physmem).values() if inspect.isclass(kind)]
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


@pytest.fixture(name="things")
def fixture_things():
    """One instance of each type, by type."""
    snapshot = physmem.open(SAMPLES / "ram-split.pmc.zst")
    difference = physmem.diff(SAMPLES / "ram-files.txt.zst", SAMPLES / "ram-split.pmc.zst")
    notes = [physmem.CounterRow._of(("note", 1))]
    tables = [snapshot.processes, snapshot.areas, snapshot.units, snapshot.mappings,
              snapshot.users, snapshot.cgroups, snapshot.regions, snapshot.ledger,
              snapshot.owners, notes, difference.processes, difference.areas, difference.units]
    columns = [snapshot.processes.column(name) for name in ("rss", "name")]
    pages = snapshot.pages()
    things = [snapshot, difference, snapshot.info, physmem.series(snapshot.path), pages,
              next(pages), tables[0], *columns, *(table[0] for table in tables),
              *map(iter, (tables[0], *columns))]
    found = {type(thing): thing for thing in things}
    assert set(found) == set(KINDS)
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_protocol_pickles_rows_and_refuses_others(things, kind):
    for protocol in PROTOCOLS:
        if not hasattr(kind, "_fields"):
            with pytest.raises(TypeError, match=f"pickle .*{kind.__name__}"):
                pickle.dumps(things[kind], protocol)
            continue
        read = pickle.loads(pickle.dumps(things[kind], protocol))
        assert type(read) is kind and read == things[kind] and repr(read) == repr(things[kind])
    if not hasattr(kind, "_fields"):
        with pytest.raises(TypeError):
            copy.copy(things[kind])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_instances_cannot_be_made(kind):
    class Derived(kind):
        pass

    for maker in (kind, lambda: kind.__new__(kind), lambda: object.__new__(kind), Derived,
                  lambda: kind.__mro__[1].__new__(kind), lambda: Derived.__new__(Derived)):
        with pytest.raises(TypeError):
            maker()


@pytest.mark.skipif(sys.version_info < (3, 10),
                    reason="types cannot be closed before Python 3.10")
def test_the_type_of_an_instance_is_constant(things):
    for kind in KINDS:
        for other in KINDS:
            with pytest.raises(TypeError):
                things[kind].__class__ = other
        with pytest.raises(TypeError):
            kind.__new__ = object.__new__


def test_pickled_rows_of_another_version_are_refused():
    with pytest.raises(ValueError, match="another version"):
        physmem.CounterRow._of(("name",))
