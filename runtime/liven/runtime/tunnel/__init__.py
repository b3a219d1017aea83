"""Tunnels: an endpoint of another process of this user, connected as if it were here.

Objects on other machines are reached by channels, in the room above. Start with `tunnels`.
"""

from liven.runtime.tunnel.address import Address, AddressError
from liven.runtime.tunnel.tunnels import TunnelError, Tunnels

__all__ = ["Address", "AddressError", "TunnelError", "Tunnels"]
