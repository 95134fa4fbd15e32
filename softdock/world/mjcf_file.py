"""MJCF as a file: includes, the compiler's settings, default classes, and where an element is.

MuJoCo's documentation, chapter "XML reference", says what each attribute means.
"""

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from softdock.spatial import four, least_turn, quaternion_of_matrix, quaternion_of_vector, quaternion_product
from softdock.world.files import blaming, parse_xml, read_bytes
from softdock.world.pose import Pose

MOST_INCLUDES = 100
ACTUATORS = (
    "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "plugin",
)  # fmt: skip
MAIN = "main"
"""The default class of elements that name none."""


class Attributes(NamedTuple):
    """Of one element, with its class's defaults; `own` are those that it says itself."""

    tag: str
    all: dict[str, str]
    own: dict[str, str]

    def text(self, key: str, default: str = "") -> str:
        return self.all.get(key, default)

    def numbers(self, key: str, count: int | None = None, default: str | None = None) -> list[float]:
        """The numbers of an attribute; ValueError if there are not `count`, or one is none."""
        text = self.all.get(key, default)
        if text is None:
            raise ValueError(f"<{self.tag}> has no '{key}'")
        try:
            found = [float(word) for word in text.split()]
        except ValueError:
            raise ValueError(f"'{key}' of <{self.tag}>: {text[:40]!r} are not numbers") from None
        if not all(map(math.isfinite, found)):
            raise ValueError(f"'{key}' of <{self.tag}>: {text[:40]!r} are not finite numbers")
        if count is not None and len(found) != count:
            raise ValueError(f"'{key}' of <{self.tag}> takes {count} numbers, not {len(found)}")
        return found

    def number(self, key: str, default: str) -> float:
        """The first number of an attribute."""
        return (self.numbers(key, default=default) or [float(default)])[0]

    def vector(self, key: str, default: str = "0 0 0") -> tuple[float, float, float]:
        x, y, z = self.numbers(key, 3, default)
        return x, y, z


class Compiler(NamedTuple):
    """What `<compiler>` says of how numbers are meant."""

    radian: float
    """Radians of one unit of angle in the file."""
    eulerseq: str
    autolimits: bool
    from_geoms: str
    """Are inertias made from geoms: true, false, or auto."""
    groups: tuple[float, float]
    """Of geoms that count for them."""
    least_mass: float
    least_inertia: float
    balance: bool
    total_mass: float


class MjcfFile:
    """A model's elements, and what in it was not understood: `left_out`, how often each."""

    def __init__(self, path: Path) -> None:
        self.path, self.left_out = path, Counter[str]()
        self._includes = 0
        self.root = parse_xml(read_bytes(path), str(path))
        with blaming(str(path)):
            if self.root.tag != "mujoco":
                raise ValueError(f"an MJCF's outermost element is <mujoco>, not <{self.root.tag}>")
            self._include(self.root, ())
            settings = {key: x for element in self.root.findall("compiler") for key, x in element.attrib.items()}
            self.settings = Attributes("compiler", settings, settings)
            self.compiler = _compiler(self.settings)
            self.classes: dict[str, dict[str, dict[str, str]]] = {MAIN: {}}
            for element in self.root.findall("default"):
                self._read_defaults(element, self.classes[MAIN], element.get("class", MAIN))

    def _include(self, element: Element, above: tuple[Path, ...]) -> None:
        """Put what included files hold in place of `<include>`; their names are from the model's folder on."""
        children: list[Element] = []
        for child in element:
            if child.tag != "include":
                self._include(child, above)
                children.append(child)
                continue
            self._includes += 1
            file = (self.path.resolve().parent / child.get("file", "")).resolve()
            if file in above or self._includes > MOST_INCLUDES:
                raise ValueError(f"<include file={child.get('file')!r}>: files include each other without end")
            part = parse_xml(read_bytes(file), str(file))
            self._include(part, (*above, file))
            children += part
        element[:] = children

    def _read_defaults(self, element: Element, inherited: dict[str, dict[str, str]], name: str) -> None:
        own = {tag: dict(attributes) for tag, attributes in inherited.items()}
        for child in element:
            if child.tag != "default":
                own.setdefault(_kind(child.tag), {}).update(child.attrib)
        self.classes[name] = own
        for child in element.findall("default"):
            if not child.get("class"):
                raise ValueError("a <default> within another has no class")
            self._read_defaults(child, own, str(child.get("class")))

    def attributes(self, element: Element, childclass: str) -> Attributes:
        """Of an element under a body whose `childclass` is in force."""
        name = element.get("class") or childclass or MAIN
        if name not in self.classes:
            raise ValueError(f"<{element.tag}>: unknown class {name!r}")
        defaults = {} if element.tag in ("freejoint", "body", "inertial") else self.classes[name]
        return Attributes(element.tag, {**defaults.get(_kind(element.tag), {}), **element.attrib}, dict(element.attrib))

    def sections(self, name: str) -> Iterator[Element]:
        """All elements in sections of that name."""
        for section in self.root.findall(name):
            yield from section

    def pose(self, given: Attributes) -> Pose:
        """`pos` and an orientation, however that is given."""
        return Pose(position=given.vector("pos"), quaternion=four(self._orientation(given)))

    def _orientation(self, given: Attributes) -> np.ndarray:
        ways = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
        way = next((w for w in ways if w in given.own), next((w for w in ways if w in given.all), ""))
        if way == "quat":
            return np.array(given.numbers("quat", 4))
        if way == "axisangle":
            *axis, angle = given.numbers("axisangle", 4)
            return quaternion_of_vector(self.compiler.radian * angle * _unit(np.array(axis), given))
        if way == "euler":
            return self._euler(given.vector("euler"))
        if way == "xyaxes":
            numbers = np.array(given.numbers("xyaxes", 6))
            x = _unit(numbers[:3], given)
            y = _unit(numbers[3:] - x * (x @ numbers[3:]), given)
            return quaternion_of_matrix(np.column_stack([x, y, np.cross(x, y)]))
        if way == "zaxis":
            return along(given.vector("zaxis"))
        return np.array([1.0, 0.0, 0.0, 0.0])

    def _euler(self, angles: tuple[float, float, float]) -> np.ndarray:
        """Turns about moving axes (small letters) or fixed ones (capitals), in the compiler's order."""
        total = np.array([1.0, 0.0, 0.0, 0.0])
        for letter, angle in zip(self.compiler.eulerseq, angles, strict=True):
            turn = quaternion_of_vector(self.compiler.radian * angle * np.eye(3)["xyz".index(letter.lower())])
            total = quaternion_product(total, turn) if letter.islower() else quaternion_product(turn, total)
        return total


def along(direction: tuple[float, float, float] | np.ndarray) -> np.ndarray:
    """The least turn that takes z to a direction."""
    return least_turn((0.0, 0.0, 1.0), np.asarray(direction, float))


def _unit(vector: np.ndarray, given: Attributes) -> np.ndarray:
    length = float(np.linalg.norm(vector))
    if length < 1e-14:
        raise ValueError(f"<{given.tag}>: a direction has no length")
    return vector / length


def _kind(tag: str) -> str:
    """Under what an element's defaults are kept: all actuators have one set."""
    return "actuator" if tag in ACTUATORS else tag


def _compiler(given: Attributes) -> Compiler:
    if given.text("coordinate", "local") != "local":
        raise ValueError("<compiler coordinate='global'> is not read: MuJoCo itself gave it up in version 2.3.4")
    order = given.text("eulerseq", "xyz")
    if len(order) != 3 or not set(order.lower()) <= set("xyz"):
        raise ValueError(f"'eulerseq' of <compiler>: {order!r} are not three axes")
    low, high = given.numbers("inertiagrouprange", 2, "0 5")
    return Compiler(
        radian=1.0 if given.text("angle", "degree") == "radian" else math.pi / 180,
        eulerseq=order,
        autolimits=given.text("autolimits", "true") == "true",
        from_geoms=given.text("inertiafromgeom", "auto"),
        groups=(low, high),
        least_mass=given.number("boundmass", "0"),
        least_inertia=given.number("boundinertia", "0"),
        balance=given.text("balanceinertia", "false") == "true",
        total_mass=given.number("settotalmass", "-1"),
    )
