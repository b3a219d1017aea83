"""Seeds that once found a fault. Each stays, so that the fault stays fixed."""

from __future__ import annotations

import pytest

from liven.multicast.engine import run_campaign

MIXED, CALM, LOSSY, CHURN, CRASH, FREEZE, CUT, SERVICE, STORM = range(9)

FOUND = [
    (CHURN, 1, "repair was asked for before the token that gave the cut"),
    (CHURN, 25, "the address of a region was left with an older view of it, and the newer one was deaf"),
    (CRASH, 25, "packets to a view whose members are all dead stayed pending for ever"),
    (CUT, 14, "an ACK for a dead sender released packets of the next life at its address"),
    (CUT, 107, "an EVICTED for the life before ended the next one"),
    (STORM, 121, "who stopped let go of packets that a member of its view still missed"),
    (STORM, 116, "who left a group was not told that a view it sent to had nobody left"),
    (STORM, 9, "who stopped was not told so either, and stayed for ever"),
    (STORM, 44, "who was never in a view answered that it had ended, and its sender let go of it"),
    (STORM, 229, "who came back to a group was given what was sent before, late"),
    (CRASH, 130, "pieces of a long message of a dead sender were kept for ever"),
    (SERVICE, 52, "after a restart of the service the head of a stream was not delivered to all"),
    (MIXED, 3, "a healthy node was evicted"),
    (MIXED, 30, "a number was skipped that a live member had"),
    (MIXED, 315, "two members saw one view number with different members"),
    (LOSSY, 200258, "a token's list of what a partition misses held 32 numbers: no more came back a round"),
    (STORM, 200207, "a sender from outside took a region slow to repair for dead, and dropped its packets"),
    (MIXED, 200258, "who lacked a packet took a region for gone that was silent while there was no service"),
    (MIXED, 200271, "a view was forgotten whose COMMIT died with the service, though others were in it"),
    (MIXED, 7093, "for the same reason what was sent there was passed over"),
    (SERVICE, 90, "a question who is in a group was lost with the service, and never asked again"),
    (SERVICE, 200148, "the same, after somebody left"),
    (SERVICE, 200226, "the same, with no answer ever"),
    (SERVICE, 300017, "the same, for a group that somebody joined"),
    (SERVICE, 502201, "what came in a view that a dead service committed to others was thrown away"),
    (MIXED, 502578, "who was alone in its region and came late to a new service was evicted"),
    (MIXED, 500315, "a new service believed in a view that others had closed, under the old number"),
    (MIXED, 504180, "who shared no group with anybody and came late to a new service was evicted"),
    (MIXED, 507643, "who was greeted by a new service and reported a moment too late lost its groups"),
    (MIXED, 505381, "who had never met the others came late to a new service and was evicted"),
    (MIXED, 401049, "who had left a group was answered who is in it"),
    (CALM, 200041, "a record stayed in the token a round too long"),
    (CALM, 600001, "a region at rest was told of it each second by a whole round"),
    (CALM, 600025, "rings that turn apart had a budget of control each"),
    (CUT, 47, "what the dead said to who knew of the death was counted as a copy"),
    (MIXED, 400238, "for the same reason a lawful skip was blamed"),
    (LOSSY, 170, "requests of rounds that were lost, and marks, were not charged to the budget of control"),
    (MIXED, 610029, "a round could ask for too little, and took too many rounds for the rest"),
    (LOSSY, 650070, "after the last loss three packets of 267 took a round too long"),
    (MIXED, 610055, "a new service took a node that slept for a quarter of a second for dead"),
    (STORM, 420003, "who left a group and came back spoke before what it had said was heard"),
    (MIXED, 420280, "a third service gave the name of one who died under the second"),
    (STORM, 410052, "the end of a view that closed in a quiet second was blamed"),
    (CUT, 1259, "of who was gone when a view closed each member guessed another last number"),
    (CUT, 410121, "the same, with a sender that was declared dead"),
    (CUT, 680039, "of three who were cut off each kept copies in a view that nobody ended"),
    (CUT, 20098, "for the same reason copies were kept for ever"),
    (LOSSY, 20115, "control passed its budget by six packets in a region of 14 under loss"),
    (STORM, 20088, "a message was handed on before the one it follows"),
    (STORM, 452003, "two healthy nodes were evicted"),
    (MIXED, 511899, "who had left was not told of deaths after a restart, and its ring stood still"),
    (MIXED, 512566, "a sender that came and died while a leader was away was never announced to it"),
    (MIXED, 541476, "what was sent in a view whose only member missed its COMMIT died with the service"),
    (MIXED, 710006, "who was declared dead and shared nothing was taken back by the next service"),
    (MIXED, 451111, "who slept passed on a token of each round that was lost on it"),
    (MIXED, 709208, "a view that only its senders had in force was thrown away with what it had accepted"),
    (MIXED, 801029, "who was counted as dead at the end of a view, and nowhere else, was taken back"),
    (MIXED, 802545, "an OPEN was lost with its sender, and the order of views with it"),
    (MIXED, 803215, "who stopped waited for ever for a view that nobody closed to it"),
    (MIXED, 803589, "who was dead for a service that died kept copies of what its senders had let go"),
    (MIXED, 804938, "a round of which one ring had not come back was counted"),
    (CUT, 900094, "where rings turn apart, who was cut off for a moment was heard a round too late"),
    (MIXED, 870073, "a healthy leader of a new stream was taken for eight seconds behind, and evicted"),
    (CRASH, 912161, "one lost round was counted at each call, and a healthy node accused of it"),
    (MIXED, 910470, "members went whom no token reached for long, though their leader called them by name"),
    (MIXED, 2000705, "who left and was not told of a view's end kept what it had sent there for ever"),
    (MIXED, 922080, "who was in a group when the service died, and did not know it, never saw its view"),
    (LOSSY, 2000784, "rings that turn apart were charged for one token a round, and for no requests"),
    (MIXED, 4030274, "who left was not waited for though its messages got on, and one went in half"),
    (MIXED, 4040045, "who left as another came, whom it never met, was taken for dead by the next service"),
    (LOSSY, 4020093, "two tokens side by side each asked for all that their round may ask for"),
    (SERVICE, 7000037, "high-water marks of many pressed senders took more than the tenth left to them"),
    (MIXED, 8000799, "what a round asked that was not home yet took more than the tenth left to it"),
    (MIXED, 13001374, "where data ended, a second's share of control was spent beside what data had paid"),
    (FREEZE, 78000055, "who was silent for a tenth of a second where others answered at once was removed"),
    (MIXED, 9200069, "who left did not wait until the word that all is stable had come, and it was lost"),
]


@pytest.mark.parametrize(("kind", "seed", "what"), FOUND)
def test_a_seed_that_once_failed_passes(kind: int, seed: int, what: str) -> None:
    run = run_campaign(seed, kind)
    assert run.breaches == (), what
