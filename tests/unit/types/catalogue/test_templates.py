"""Known classes as templates."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from liven.types.catalogue import Catalogue, register, template_of
from liven.types.declare import scan
from liven.types.matching import Matcher
from liven.types.terms.template import Kind, TemplateError
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import TEXT


def test_parameters_are_assigned_types_first(catalogue: Catalogue) -> None:
    local = template_of(catalogue, catalogue.find("component/liven:local-communication-channel"))
    assert [(one.name, one.kind) for one in local.parameters] == [
        ("MessageClass", Kind.VALUE_CLASS),
        ("CheckpointClass", Kind.VALUE_CLASS),
        ("address", Kind.VALUE),
        ("debugging", Kind.VALUE),
    ]
    with pytest.raises(TemplateError, match="type parameters come before values"):
        local.assign(address="here")
    ready = local.assign(MessageClass=TEXT, CheckpointClass=TEXT).assign(address="here", debugging=False)
    assert ready.entity() == catalogue.object("liven:checkpointed-channel<text, text>")


def test_a_value_of_the_wrong_type_is_refused_by_name(catalogue: Catalogue) -> None:
    local = template_of(catalogue, catalogue.find("component/liven:local-communication-channel"))
    with pytest.raises(TemplateError, match="address: expected text, got 3"):
        local.assign(MessageClass=TEXT, CheckpointClass=TEXT, address=3)


def test_a_class_of_the_wrong_kind_is_refused(catalogue: Catalogue) -> None:
    service = template_of(catalogue, catalogue.find("object/liven:service"))
    with pytest.raises(TemplateError, match="InterfaceClass: expected a type of kind interface class"):
        service.assign(InterfaceClass=TEXT)
    given = service.assign(InterfaceClass=catalogue.term(catalogue.find("interface/liven:log")))
    assert spell(given.entity()) == "object {Endpoint: endpoint {in log({message: text})}}"


def test_an_authors_generic_proxy_is_a_template_too(
    catalogue: Catalogue, matcher: Matcher, load: Callable[[str], ModuleType]
) -> None:
    register(catalogue, scan(load("wall")), matcher)
    repeater = template_of(catalogue, catalogue.find("demo:repeater")).assign(Item=TEXT)
    with pytest.raises(TemplateError, match="seed: expected text"):
        repeater.assign(seed=1)
    ready = repeater.assign(seed="x", times=2)
    assert spell(ready.entity()) == "object {messages: endpoint {out send({message: text})}}"


def test_a_partly_given_template_is_not_a_type_yet(catalogue: Catalogue) -> None:
    folder = template_of(catalogue, catalogue.find("object/liven:folder")).assign(KeyClass=TEXT)
    with pytest.raises(TemplateError, match=r"`ObjectClass` \(object class\) is not given"):
        folder.entity()
