"""The view of a vote. Start with `vote_view`; `vote_face` paints it."""

from liven.liveobjects.vote.view.vote_view import VotePanel, VoteView, make

__all__ = ["VotePanel", "VoteView", "make"]
