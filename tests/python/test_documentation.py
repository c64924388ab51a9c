# SPDX-License-Identifier: MIT
"""The examples of docs/python.md, docstrings and type hints."""
import ast
import doctest
import enum
import inspect
import pathlib
import re

import pytest

import physmem

ROOT = pathlib.Path(__file__).parent.parent.parent


def test_examples_of_the_document(monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(),
                        re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "python.md", None, None)
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
    assert tried > 10 and failed == 0


def attributes(kind):
    return {name for name in vars(kind) if not name.startswith("_")}


def stub_classes():
    """Attributes by class, including the attributes of base classes."""
    stub = pathlib.Path(physmem.__file__).with_name("__init__.pyi")
    classes = {}
    for node in ast.parse(stub.read_text()).body:
        if not isinstance(node, ast.ClassDef):
            continue
        names = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        names |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
        for base in node.bases:
            base = getattr(base, "value", base)  # of Base[Item]
            names |= classes.get(getattr(base, "id", ""), set())
        classes[node.name] = {name for name in names if not name.startswith("_")}
    return classes


def test_type_hints_have_every_attribute():
    stubs = stub_classes()
    for name in physmem.__all__:
        kind = getattr(physmem, name)
        if inspect.isclass(kind) and issubclass(kind, Exception):
            assert stubs[name] == {"file", "line", "column"} == attributes(physmem.Error)
        elif name.endswith("Flag"):
            assert stubs[name] == {member.name for member in kind}
        elif inspect.isclass(kind):
            assert stubs[name] == attributes(kind), name


def is_flag(kind):
    return issubclass(kind, enum.Flag)


def test_everything_has_a_docstring():
    kinds = [getattr(physmem, name) for name in physmem.__all__ if name != "__version__"]
    assert [kind for kind in kinds if not kind.__doc__] == []
    classes = [kind for kind in kinds if inspect.isclass(kind) and not is_flag(kind)]
    assert {"SnapshotInfo", "Snapshot", "PageBatch"} <= {kind.__name__ for kind in classes}
    assert [(kind.__name__, name) for kind in classes for name in attributes(kind)
            if not getattr(kind, name).__doc__] == []


@pytest.mark.parametrize("function, expected", [
    (physmem.open, "(path, *, pids=(), areas=True, jobs=1)"),
    (physmem.series, "(path, *, pids=(), areas=True, jobs=1)"),
    (physmem.diff, "(before, after, *, pids=(), jobs=1)"),
    (physmem.name_bytes, "(name)"),
    (physmem.Snapshot.pages, "(self, *, runs=False, batch_rows=32768)"),
    (physmem.Table.column, "(self, name)"),
    (physmem.ProcessRow._asdict, "(self)"),
])
def test_functions_have_signatures(function, expected):
    assert str(inspect.signature(function)) == expected
    assert "--" not in function.__doc__


def test_signature_of_a_method_of_an_object():
    pages = physmem.open(ROOT / "samples" / "shell.txt").pages
    assert str(inspect.signature(pages)) == "(*, runs=False, batch_rows=32768)"
