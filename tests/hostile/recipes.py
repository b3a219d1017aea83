"""Hostile recipes: each with the sentence that `liven check` and `liven run` say about it.

A case whose two sentences differ gives both. Large texts are made here, so that the table stays readable.
"""

from __future__ import annotations

from dataclasses import dataclass

XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'


@dataclass(frozen=True, slots=True)
class Recipe:
    """One file. `said` is a part of the sentence; `ran` that of `liven run`, where it differs."""

    data: bytes
    said: str
    ran: str = ""

    @property
    def run(self) -> str:
        """The sentence of `liven run`."""
        return self.ran or self.said


def root(inside: str) -> bytes:
    return f"<Root {XSI}>{inside}</Root>".encode()


def thing(inside: str = "", id_: str = "liven:text", more: str = "") -> str:
    return f'<Object xsi:type="ReferenceObject" id="{id_}"{more}>{inside}</Object>'


def plain(id_: str, text: str, kind: str = "string") -> str:
    return f'<Parameter id="{id_}"><Value xsi:type="xsd:{kind}">{text}</Value></Parameter>'


def given(id_: str, *parameters: str) -> bytes:
    return root(thing("".join(parameters), id_))


def inner(id_: str, of: str, *parameters: str) -> str:
    inside = "".join(parameters)
    return f'<Parameter id="{id_}"><Value xsi:type="ReferenceObject" id="{of}">{inside}</Value></Parameter>'


def composite(inside: str) -> bytes:
    return root(f'<Object xsi:type="CompositeObject">{inside}</Object>')


def part(id_: str, of: str = "liven:memory-folder") -> str:
    return f'<Component id="{id_}">{thing(plain("name", "x"), of)}</Component>'


def bomb() -> bytes:
    lines = ['<!ENTITY a0 "lol">']
    lines += [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)]
    return f"<!DOCTYPE Root [{''.join(lines)}]><Root>&a9;</Root>".encode()


def nested(depth: int) -> bytes:
    return root("<Object>" * depth + "</Object>" * depth)


def unfolding(levels: int) -> bytes:
    """Return composites that use their parameter twice, each in the next one."""
    use = '<Value xsi:type="ParameterReference" id="p"/>'
    text = '<Value xsi:type="ReferenceObject" id="liven:memory-folder"/>'
    for _ in range(levels):
        used = "".join(
            f'<Component id="c{n}"><Object xsi:type="ReferenceObject" id="liven:loader">'
            f'<Parameter id="library">{use}</Parameter></Object></Component>'
            for n in range(2)
        )
        text = f'<Value xsi:type="CompositeObject"><Parameter id="p">{text}</Parameter>{used}</Value>'
    start, end = len("<Value"), -len("</Value>")
    return root(f"<Object{text[start:end]}</Object>")


def chain(length: int) -> str:
    """Return a reference from a folder that is from a folder, and so on."""
    text = '<From xsi:type="ReferenceObject" id="liven:memory-folder"/>'
    for number in range(length):
        text = f'<From xsi:type="ReferenceObject" id="k{number}">{text}</From>'
    return text


_AWAY = "which nobody allowed"
_TYPES = '<ObjectConstraint kind="provided" class="{}" value="{}"/>'


def constrained(formalism: str, text: str) -> bytes:
    inside = _TYPES.format(formalism, text)
    return root(thing(f'<ObjectClass id="liven:object">{inside}</ObjectClass>', "liven:memory-folder"))


BYTES = {
    "empty": Recipe(b"", "Document is empty"),
    "spaces": Recipe(b" \n\t" * 1000, "not well-formed"),
    "only a byte order mark": Recipe(b"\xef\xbb\xbf", "Document is empty"),
    "zero bytes": Recipe(b"\0" * 4096, "not well-formed"),
    "random bytes": Recipe(bytes(range(256)) * 16, "not well-formed"),
    "odd utf-16": Recipe(b"\xff\xfe<\0R", "the bytes are not utf-16"),
    "half a surrogate": Recipe(b"\xff\xfe\0\xd8", "the bytes are not utf-16"),
    "odd utf-32": Recipe(b"\xff\xfe\0\0<\0\0", "the bytes are not utf-32"),
    "declared utf-7": Recipe(b'<?xml version="1.0" encoding="utf-7"?><Root/>', "is not supported"),
    "declared punycode": Recipe(b'<?xml version="1.0" encoding="punycode"?><Root/>', "is not supported"),
    "declared rot13": Recipe(b'<?xml version="1.0" encoding="rot13"?><Root/>', "is not supported"),
    "invalid utf-8": Recipe(b"<Root>\xff\xfe</Root>", "not well-formed"),
    "overlong utf-8": Recipe(b"<Root>\xc0\xaf</Root>", "not well-formed"),
    "not ascii": Recipe(b'<?xml version="1.0" encoding="ascii"?><Root a="\xe9"/>', "the bytes are not ascii"),
    "unclosed": Recipe(b"<Root><Object", "not well-formed"),
    "two roots": Recipe(b"<Root/><Root/>", "not well-formed"),
    "wrong root": Recipe(b"<html><body/></html>", "the outermost element is html"),
    "json": Recipe(b'{"Object": 1}', "not well-formed"),
    "python": Recipe(b"import os; os._exit(1)", "not well-formed"),
    "a zip": Recipe(b"PK\x03\x04" + bytes(64), "not well-formed"),
    "entity bomb": Recipe(bomb(), "a document type and its entities are not supported"),
    "file entity": Recipe(
        b'<!DOCTYPE Root [<!ENTITY x SYSTEM "file:///etc/passwd">]><Root>&x;</Root>', "a document type"
    ),
    "network entity": Recipe(b'<!DOCTYPE Root SYSTEM "http://127.0.0.1/x.dtd"><Root/>', "a document type"),
    "document type after comments": Recipe(
        b"<!-- --><?x ?><!-- --><!DOCTYPE Root><Root/>", "a document type"
    ),
    "unknown entity": Recipe(b"<Root>&lol;</Root>", "not well-formed"),
    "zero character": Recipe(b"<Root>&#0;</Root>", "not well-formed"),
    "surrogate character": Recipe(b"<Root>&#xD800;</Root>", "not well-formed"),
    "nested 10,000 deep": Recipe(nested(10_000), "not well-formed"),
    "nested 129 deep": Recipe(nested(129), "Object must have the attribute"),
    "100,001 elements": Recipe(
        b"<Root>" + b"<a/>" * 100_001 + b"</Root>", "tags and attributes; the limit is"
    ),
    "65 attributes": Recipe(
        root(thing(more="".join(f' a{n}=""' for n in range(65)))), "attributes; the limit is 64"
    ),
    "65 namespaces": Recipe(
        root(thing(more="".join(f' xmlns:n{n}="u{n}"' for n in range(60))) * 2), "namespaces are declared"
    ),
    "larger than 4 MB": Recipe(
        b"<Root>" + b" " * (4 << 20) + b"</Root>", "the text is larger than the limit"
    ),
    "comment without end": Recipe(b"<!--" + b"-" * 1_000_000, "not well-formed"),
    "xinclude": Recipe(
        root('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>'), "only Object may"
    ),
}
GRAMMAR = {
    "two objects": Recipe(root(thing() * 2), "holds a second Object"),
    "text beside the object": Recipe(root("text"), "only elements are allowed here"),
    "no object": Recipe(root(""), "sound", "it holds no object"),
    "null object": Recipe(root('<Object xsi:type="ReferenceObject"/>'), "sound", "the null reference"),
    "undeclared prefix": Recipe(root('<Object xsi:type="no:thing"/>'), "is not declared"),
    "unknown kind of object": Recipe(root('<Object xsi:type="Bomb"/>'), "an object is a ReferenceObject"),
    "kind of 60,000 letters": Recipe(root(f'<Object xsi:type="{"K" * 900}"/>'), "an object is a Reference"),
    "nil that is perhaps": Recipe(root(thing(more=' xsi:nil="perhaps"')), "it must be 'true' or 'false'"),
    "component without object": Recipe(composite('<Component id="a"/>'), "Component must hold an Object"),
    "unknown kind of value": Recipe(
        root(thing('<Parameter id="a"><Value xsi:type="Code"/></Parameter>')), "names no kind of value"
    ),
    "constraint of no kind": Recipe(
        root(thing('<ObjectClass><ObjectConstraint kind="x" class="a" value=""/></ObjectClass>')),
        "a constraint is 'provided' or 'required'",
    ),
    "version of 5,000 digits": Recipe(
        root(thing(f'<Requires library="A" version="{"9" * 5000}"/>')), "version has 5,000 letters"
    ),
    "version of 500 digits": Recipe(
        root(thing(f'<Requires library="A" version="{"9" * 500}"/>')), "a version is a whole number"
    ),
    "version of arabic digits": Recipe(
        root(thing('<Requires library="A" version="٣"/>')), "a version is a whole number"
    ),
    "negative version": Recipe(root(thing('<Requires library="A" version="-1"/>')), "a version is a whole"),
    "hash of 3 letters": Recipe(root(thing('<Requires library="A" sha256="abc"/>')), "64 hexadecimal digits"),
    "signer of other letters": Recipe(
        root(thing(f'<Requires library="A" signer="{"g" * 64}"/>')), "64 hexadecimal digits"
    ),
    "id of 1,001 letters": Recipe(root(thing(id_="x" * 1001)), "the limit is 1,000"),
    "id with 900 digits of version": Recipe(root(thing(id_="A`" + "9" * 900)), "is known here"),
    "parameter of 1,001 letters": Recipe(
        root(thing(f'<Parameter id="{"p" * 1001}"/>')), "the limit is 1,000"
    ),
    "name of 65,537 letters": Recipe(
        root(thing(f'<Attribute id="9F4C608A9A6D44FFAD8A2FDC662E185B" value="{"n" * 65_537}"/>')),
        "the limit is 65,536",
    ),
    "url of 65,537 letters": Recipe(
        root(thing(f'<Requires library="A" url="{"u" * 65_537}"/>')), "the limit is 65,536"
    ),
}
CLASSES = {
    "unknown id": Recipe(root(thing(id_="DEADBEEF")), "is known here"),
    "unknown alias": Recipe(root(thing(id_="nobody:nothing")), "is known here"),
    "alias with line breaks": Recipe(root(thing(id_="a&#10;b&#9;c")), "is known here"),
    "alias that turns the text": Recipe(root(thing(id_="\u202egpj.tset")), "is known here"),
    "alias of a value class": Recipe(root(thing(id_="liven:letter")), "is known here"),
    "parameter that does not exist": Recipe(given("liven:memory-folder", plain("bomb", "1")), "no parameter"),
    "parameter given twice": Recipe(
        given("liven:memory-folder", plain("name", "a"), plain("name", "b")), "is given 2 times"
    ),
    "parameter missing": Recipe(given("liven:local-folder"), "is not given its parameter"),
    "number for a text": Recipe(given("liven:memory-folder", plain("name", "1", "int")), "is expected"),
    "object for a text": Recipe(
        given("liven:local-folder", inner("path", "liven:memory-folder")), "is not what 'path' takes"
    ),
    "number of 5,000 digits": Recipe(
        given("liven:uniform-interval", plain("sizeMax", "9" * 5000, "int")), "is not a whole number"
    ),
    "number with underscores": Recipe(
        given("liven:uniform-interval", plain("sizeMax", "1_000", "int")), "is not a whole number"
    ),
    "number beyond its range": Recipe(
        given("liven:uniform-interval", plain("sizeMax", "99999999999", "int")), "is outside"
    ),
    "not a number": Recipe(
        given("liven:uniform-interval", plain("intervalMin", "NaN", "double")),
        "sound",
        "there is no interval",
    ),
    "infinite": Recipe(
        given("liven:uniform-interval", plain("intervalMax", "INF", "double")),
        "sound",
        "there is no interval",
    ),
    "number of 1e309": Recipe(
        given("liven:uniform-interval", plain("intervalMax", "1e309", "double")), "sound", "no interval"
    ),
    "size of minus one": Recipe(
        given("liven:uniform-interval", plain("sizeMin", "-1", "int")), "sound", "there is no length"
    ),
    "truth of yes": Recipe(
        given("liven:local-communication-channel", plain("debugging", "yes", "boolean")),
        "the parameter 'MessageClass' is not given",
    ),
    "from something that is no folder": Recipe(
        root(thing('<From xsi:type="ReferenceObject" id="liven:uniform-interval"/>', "key")), "not a folder"
    ),
    "from nothing": Recipe(
        root(thing('<From xsi:type="ReferenceObject"/>', "key")), "requested from nothing"
    ),
    "from an empty folder": Recipe(
        root(thing('<From xsi:type="ReferenceObject" id="liven:memory-folder"/>', "key")),
        "sound",
        "the folder has no 'key'",
    ),
    "chain of 40 folders": Recipe(root(thing(chain(40), "key")), "sound", "more than 32 folders"),
    "authority that is none": Recipe(
        root(
            thing(
                plain("name", "x") + '<Authority xsi:type="ReferenceObject" id="liven:memory-folder"/>',
                "liven:memory-folder",
            )
        ),
        "authority",
    ),
    "class that it is not": Recipe(
        root(thing('<ObjectClass id="liven:desktop"/>', "liven:memory-folder")), "is known here"
    ),
    "garbage as a constraint": Recipe(constrained("trace", "((((((((("), "trace"),
    "constraint in no formalism": Recipe(constrained("bomb", "x"), "formalism"),
    "parameter used outside of a composite": Recipe(
        root(
            thing(
                '<Parameter id="name"><Value xsi:type="ParameterReference" id="p"/></Parameter>',
                "liven:memory-folder",
            )
        ),
        "p",
    ),
}
COMPOSITES = {
    "two parts of one name": Recipe(composite(part("a") + part("a")), "is given 2 times"),
    "part with a bad name": Recipe(composite(part("a b")), "letters, digits and underscores"),
    "part with a hidden name": Recipe(composite(part("a\u200b")), "letters, digits and underscores"),
    "connection to nowhere": Recipe(
        composite(part("a") + '<Connection from="a.Endpoint" to="b.Endpoint"/>'), "there is no component"
    ),
    "connection without a dot": Recipe(
        composite(part("a") + '<Connection from="a" to="a"/>'), "with one dot"
    ),
    "connection to itself": Recipe(
        composite(part("a") + '<Connection from="a.Endpoint" to="a.Endpoint"/>'), "connections; an endpoint"
    ),
    "connection that does not fit": Recipe(
        composite(part("a") + part("b") + '<Connection from="a.Endpoint" to="b.Endpoint"/>'), "match"
    ),
    "connection to no endpoint": Recipe(
        composite(part("a") + part("b") + '<Connection from="a.x" to="b.y"/>'), "has no open endpoint"
    ),
    "endpoint shown twice": Recipe(
        composite(part("a") + '<Endpoint id="x" from="a.Endpoint"/><Endpoint id="y" from="a.Endpoint"/>'),
        "is exported 2 times",
    ),
    "endpoint from nowhere": Recipe(
        composite('<Endpoint id="x" from="a.Endpoint"/>'), "there is no component"
    ),
    "composite that unfolds without end": Recipe(unfolding(30), "unfolds to more than"),
    "3,000 parts and a wrong connection": Recipe(
        composite("".join(part(f"c{n}") for n in range(3000)) + '<Connection from="x.a" to="y.b"/>'),
        "and 2,992 more",
    ),
}
PATHS = (
    {
        f"the file {path}": Recipe(given("liven:local-file", plain("path", path)), "sound", _AWAY)
        for path in (
            "/etc/shadow",
            "~/.ssh/id_rsa",
            "/dev/ptmx",
            "/dev/zero",
            "/proc/self/mem",
            "/proc/kcore",
            "../../../../etc/passwd",
            "~nobody-of-this-name/x",
            "/tmp/\u202etxt.exe",
            "/" + "d/" * 2000,
        )
    }
    | {
        f"the folder {path}": Recipe(
            given("liven:folder-view", inner("folder", "liven:local-folder", plain("path", path))),
            "sound",
            _AWAY,
        )
        for path in ("/", "/proc/self/fd", "~/.config/liven", "/dev")
    }
    | {
        f"the script {path}": Recipe(given("liven:scripted-interval", plain("file", path)), "sound", _AWAY)
        for path in ("/dev/ptmx", "/dev/random", "/proc/self/maps")
    }
)


def shared(name: str, seed: str = "", of: str = "liven:shared-channel") -> bytes:
    text = "982130E40A294E3CAD5441841E87941E"
    classes = "".join(
        f'<Parameter id="{one}"><Value xsi:type="ValueClass" id="{text}"/></Parameter>'
        for one in (
            ("MessageClass", "CheckpointClass") if of == "liven:shared-channel" else ("MessageClass",)
        )
    )
    return given(of, classes, plain("name", name), plain("seed", seed) if seed else "")


CHANNELS = {
    "kept channel of four parts": Recipe(
        given("liven:channel-keeper", plain("name", "a/b/c/d")), "sound", "is not a group name"
    ),
    "kept channel of 10,000 letters": Recipe(
        given("liven:channel-keeper", plain("name", "x" * 10_000)), "sound", "is not a group name"
    ),
    "seed that is no base64": Recipe(shared("home/a/b", "%%%"), "sound", "is not a valid state"),
    "seed that is no state": Recipe(shared("home/a/b", "AAAA"), "sound", "is not a valid state"),
    "communication of a bomb": Recipe(
        given("liven:communication", plain("kind", "bomb")), "sound", "kind of channel"
    ),
}
RECIPES: dict[str, Recipe] = {**BYTES, **GRAMMAR, **CLASSES, **COMPOSITES, **PATHS, **CHANNELS}
