"""What names a person is derived from the stored models: the merge and the purge miss no kind of rows."""

from __future__ import annotations

from governance.store.schema import entities
from governance.store.schema.keys import Entity
from governance.usecases.members.belongings import BELONGINGS
from infra.operator import address_removal
from infra.operator.kinds import MODELS_OF_KINDS, attributes_named, names_in

PERSON = "unregistered_user_id"


def test_whatever_names_a_person_without_an_account_moves_with_a_merge() -> None:
    declared = [value for value in vars(entities).values() if isinstance(value, Entity)]
    by_key = {entity for entity in declared if "unregisteredUserId" in entity.parameters}
    by_field = {entity for entity, model in MODELS_OF_KINDS.items() if [*names_in(model, PERSON)]}
    by_address_and_by_delivery = {entities.GUEST_VOTES_OF_SLOT, entities.NOTIFICATION}
    of_nobody = {entities.UNREGISTERED_USER, entities.MEMBER_VOTE, entities.GUEST_VOTE}  # a vote has one model
    assert {belonging.rows for belonging in BELONGINGS} == (by_key | by_field | by_address_and_by_delivery) - of_nobody
    assert {entities.AGENDA, entities.MINUTES, entities.ACTION_ITEM, entities.UNREGISTERED_RSVP} <= by_field


def test_the_search_of_a_purge_looks_at_every_attribute_with_an_address() -> None:
    assert attributes_named("email") >= {"email", "inviteeEmail", "aboutEmail", "scrubbedEmail"}
    assert all(
        f"attribute_exists({name})" in address_removal._MAY_HAVE_AN_ADDRESS for name in attributes_named("email")
    )
