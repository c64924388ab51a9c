# SPDX-License-Identifier: MIT
"""The examples of docs/python.md, docstrings and type hints."""
import ast
import doctest
import inspect
import pathlib
import re

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
    """Attributes by class, with those of base classes."""
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


def test_everything_has_a_docstring():
    for name in physmem.__all__:
        if name != "__version__":
            assert getattr(physmem, name).__doc__, name
    for kind in (physmem.ProcessRow, physmem.AreaRow, physmem.UnitRow, physmem.CounterRow):
        for name in attributes(kind):
            assert getattr(kind, name).__doc__, name
