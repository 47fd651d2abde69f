"""The grammar of formulas: values and refusals."""

import pytest

from governance.domain.reports.formula import ExpressionError, names, parse
from tests.harness.formulas import COMPUTED, REFUSED, VALUES, value_of


@pytest.mark.parametrize(("text", "expected"), COMPUTED.items())
def test_a_formula_of_the_grammar_has_its_value(text: str, expected: float) -> None:
    assert value_of(text, VALUES) == expected


@pytest.mark.parametrize("text", REFUSED)
def test_what_the_grammar_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        value_of(text, VALUES)


def test_every_input_of_a_formula_is_named_in_order_as_often_as_it_occurs() -> None:
    assert list(names(parse("a + min(b, c * a)"))) == ["a", "b", "c", "a"]


def test_a_long_chain_is_computed() -> None:
    assert value_of("+".join("a" * 150), VALUES) == 900
