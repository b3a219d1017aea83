"""The view of a chat. Start with `chat_view`; `chat_face` paints it."""

from liven.liveobjects.chat.view.chat_view import ChatPanel, ChatView, make

__all__ = ["ChatPanel", "ChatView", "make"]
