"""Codecs: a generated MessagePack encoder and decoder for each value type.

`codec` is the public part. `codegen` writes the Python source, `prescan` and `duplicate_keys` guard
against hostile bytes, `errors` says what is wrong and where. Values for people to read are printed by
`terms.value_text`.
"""

from liven.types.codec.codec import Codec, Codecs, Limits
from liven.types.codec.errors import CodecError, NoWireFormError

__all__ = ["Codec", "CodecError", "Codecs", "Limits", "NoWireFormError"]
