"""Libraries that recipes brought under earlier versions, which kept no record of that."""

from __future__ import annotations

from contextlib import suppress

from liven.app.trust.trust_store import TrustStore
from liven.runtime.library.store import Store
from liven.runtime.user_folders import UserFolders


def mark_earlier_libraries(folders: UserFolders) -> None:
    """Mark as fetched what the person trusted permanently and did not install: it runs confined from now
    on."""
    trusted = {
        one.sha256: one.url or "an address that was not recorded" for one in TrustStore.of(folders).entries()
    }
    if trusted:
        with suppress(OSError):  # a folder that nobody may write to stays as it is
            Store(folders.data / "libraries").mark_fetched(trusted)
