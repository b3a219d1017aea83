"""Codecs: a generated MessagePack encoder and decoder for each value type."""

from liven.types.codec.codec import Codec, Codecs, Limits
from liven.types.codec.errors import CodecError, NoWireFormError

__all__ = ["Codec", "CodecError", "Codecs", "Limits", "NoWireFormError"]
