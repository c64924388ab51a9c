# SPDX-License-Identifier: MIT
"""A strict parser of the text that physmem-analyze --ask metrics writes: what the text format of
Prometheus and OpenMetrics 1.0 have in common. So only gauges, and no times of samples."""
import math
import re

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


class NotMetrics(Exception):
    """What is wrong, with the number of the line."""


def labels_of(text):
    """Parses name="value",... and returns a tuple of pairs."""
    labels = []
    while text:
        name = LABEL.match(text)
        if not name or text[name.end():name.end() + 2] != '="':
            raise NotMetrics(f"found {text!r}, expected a label")
        text = text[name.end() + 2:]
        value = ""
        while not text.startswith('"'):
            size = 2 if text.startswith("\\") else 1
            if len(text) < size or (size == 2 and text[:2] not in ESCAPES):
                raise NotMetrics(f"found {text[:2]!r} in a label value")
            value += ESCAPES.get(text[:size], text[:size])
            text = text[size:]
        labels.append((name.group(), value))
        text = text[1:]
        if text and not text.startswith(","):
            raise NotMetrics(f"found {text!r} after a label value")
        text = text[1:]
        if not value:
            raise NotMetrics(f"an empty label value is no label: {name.group()}")
    names = [name for name, _ in labels]
    if len(set(names)) != len(names):
        raise NotMetrics(f"a label occurs twice: {names}")
    return tuple(labels)


class Parser:
    def __init__(self):
        self.families = {}  # by name: {"TYPE": …, "UNIT": …, "HELP": …, "samples": {labels: value}}
        self.current = None

    def describe(self, line):
        kind, name, *rest = line[2:].split(" ", 2)
        if kind not in ("TYPE", "UNIT", "HELP") or not NAME.fullmatch(name) or not rest:
            raise NotMetrics(f"found {line!r}, expected TYPE, UNIT or HELP")
        if name != self.current:
            if name in self.families:
                raise NotMetrics(f"{name} has two places")
            self.families[name] = {"samples": {}}
            self.current = name
        family = self.families[name]
        if kind in family or family["samples"]:
            raise NotMetrics(f"{kind} of {name} comes twice, or after samples")
        family[kind] = rest[0]
        if kind == "TYPE" and rest[0] != "gauge":
            raise NotMetrics(f"{name} is a {rest[0]}: the formats write only gauges alike")
        if kind == "UNIT" and not name.endswith("_" + rest[0]):
            raise NotMetrics(f"{name} does not end with its unit, {rest[0]}")

    def sample(self, line):
        name = NAME.match(line)
        if not name or name.group() != self.current:
            raise NotMetrics(f"found {line!r}, expected a sample of {self.current}")
        family = self.families[self.current]
        if "TYPE" not in family or "HELP" not in family:
            raise NotMetrics(f"{self.current} has no TYPE or HELP")
        rest = line[name.end():]
        labels, value = "", rest[1:]
        if rest.startswith("{"):
            labels, _, value = rest[1:].rpartition("} ")
        elif not rest.startswith(" "):
            raise NotMetrics(f"found {rest!r}, expected labels or a value")
        if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?", value) or not math.isfinite(
                float(value)):
            raise NotMetrics(f"found {value!r}, expected one finite number")
        labels = labels_of(labels)
        if labels in family["samples"]:
            raise NotMetrics(f"{self.current} has two series with {labels}")
        family["samples"][labels] = float(value)


def parse(data):
    """Bytes → {family: {labels: value}}."""
    text = data.decode("utf-8")  # strict
    if not text.endswith("\n# EOF\n"):
        raise NotMetrics("the text does not end with # EOF")
    parser = Parser()
    for number, line in enumerate(text[:-len("# EOF\n")].split("\n")[:-1], 1):
        try:
            if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in line):
                raise NotMetrics("a control character")
            parser.describe(line) if line.startswith("# ") else parser.sample(line)
        except NotMetrics as error:
            raise NotMetrics(f"line {number}: {error}") from None
    for name, family in parser.families.items():
        if not family["samples"]:
            raise NotMetrics(f"{name} has no samples")
    return {name: family["samples"] for name, family in parser.families.items()}
