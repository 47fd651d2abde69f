"""Bets of a board (an extension of the API, ADR figures)."""

from __future__ import annotations

from governance.domain.events import reports as events
from governance.domain.events.kind import EventKind
from governance.domain.reports import bet as bet_rules
from governance.models.base import Deleted
from governance.models.page import OrderedQuery, Page
from governance.models.reports.bet import Bet, BetCreate, BetPatch, StoredBet
from governance.store.boards import boards
from governance.store.reports import bets, figures, newest_figures
from governance.store.schema.entities import BET, FIGURES_KEPT
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch
from governance.usecases.event_writes import record_event


def _to_resources(context: Context, stored: list[StoredBet]) -> list[Bet]:
    """Returns bets with the newest figures of their KPIs."""
    kpis = dict.fromkeys(bet.rogue_id for bet in stored if bet.rogue_id is not None)
    latest = newest_figures.newest(context.board.id, kpis)
    return [bet_rules.to_resource(bet, latest.get(bet.rogue_id or "")) for bet in stored]


def _bets_page(info: RequestInfo) -> Page[StoredBet]:
    return Page(*bets.list_of_board(info.board_id, info.window(info.query_as(OrderedQuery))))


@prefetch(_bets_page)
def list_bets(context: Context, page: Page[StoredBet], _query: OrderedQuery) -> Page[Bet]:
    """Returns a page of the board's bets, newest first."""
    return Page(_to_resources(context, [*page.data]), page.next_position)


def requested_bet(context: Context) -> StoredBet:
    """Returns the bet that the path names; raises 404 if it does not exist."""
    return context.stored(BET, StoredBet)


@loads(BET)
@finds(requested_bet)
def get_bet(context: Context, bet: StoredBet) -> Bet:
    """Returns one bet."""
    return _to_resources(context, [bet])[0]


@creates(BET, "betId")
@loads(FIGURES_KEPT)
def create_bet(context: Context, body: BetCreate) -> Outcome[Bet]:
    """Creates a bet; raises 409 `LIMIT_REACHED` on a board that has the most bets allowed."""
    bet = bet_rules.created(context.board.id, body, context.now)
    writes = [*bets.create(bet), *_check_owner(bet)]
    return Outcome(_to_resources(context, [bet])[0], [*writes, *_event(context, events.BET_CREATED, bet)])


@loads(BET, FIGURES_KEPT)
@finds(requested_bet)
def update_bet(context: Context, old: StoredBet, body: BetPatch) -> Outcome[Bet]:
    """Changes the fields of a bet that the body names; setting the same values changes nothing."""
    new = bet_rules.patched(old, body, context.now)
    if new is old:
        return Outcome(_to_resources(context, [old])[0], [])
    owner = _check_owner(new) if new.owner_user_id != old.owner_user_id else []
    writes = [*bets.replace(old, new, context.now), *owner]
    return Outcome(_to_resources(context, [new])[0], [*writes, *_event(context, events.BET_UPDATED, new)])


@loads(BET)
@finds(requested_bet)
def delete_bet(context: Context, bet: StoredBet) -> Outcome[Deleted]:
    """Deletes a bet."""
    event = record_event(context, events.BET_DELETED, events.OfBet(bet_id=bet.id, id=bet.id, title=bet.title))
    return Outcome(Deleted(), [*bets.delete(bet, context.now), *event])


def _check_owner(bet: StoredBet) -> list[Write]:
    """Checks that the owner of a bet is a member; raises 400 otherwise."""
    if bet.owner_user_id is None:
        return []
    return [boards.check_is_member(bet.board_id, bet.owner_user_id, bet_rules.not_a_member)]


def _event(context: Context, kind: EventKind[events.OfBet], bet: StoredBet) -> list[Write]:
    """Records an event of a bet. With the first bet on a KPI, the board begins to keep its figures by KPI."""
    kept = figures.keep(bet.board_id, context.item(FIGURES_KEPT)) if bet.rogue_id is not None else []
    named = events.OfBet(bet_id=bet.id, id=bet.id, title=bet.title, keeps_figures=bool(kept))
    event = record_event(context, kind, named)
    return [*kept, *event]
