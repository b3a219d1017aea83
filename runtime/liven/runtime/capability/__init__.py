"""Capabilities: what an object reaches outside of itself because of its recipe, and the consent of a person.

A proxy class states them in a static method `capabilities`. They are collected by `loader.capabilities`.
Start with `capability`; `consent` holds the answers.
"""

from liven.runtime.capability.capability import Capability, CapabilityKind
from liven.runtime.capability.consent import Ask, Consent, ConsentQuestion, refuse_paths

__all__ = ["Ask", "Capability", "CapabilityKind", "Consent", "ConsentQuestion", "refuse_paths"]
