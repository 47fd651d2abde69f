"""What bounds the bill of an installation: a budget, and the most that the table serves (ADR growth)."""

from tests.contract.templates import MAIN


def test_the_account_has_a_budget_where_one_is_given_and_somebody_is_told() -> None:
    budget = MAIN.document["Resources"]["Budget"]
    assert budget["Condition"] == "HasBudget"
    assert {"Ref": "MonthlyBudget"} in budget["Properties"]["Budget"]["BudgetLimit"].values()
    told = budget["Properties"]["NotificationsWithSubscribers"]
    assert {notice["Notification"]["NotificationType"] for notice in told} == {"ACTUAL", "FORECASTED"}
    assert {notice["Subscribers"][0]["Address"]["Ref"] for notice in told} == {"AlarmEmail"}


def test_the_table_serves_no_more_than_is_asked_for_and_without_a_bound_what_comes() -> None:
    condition, bounded, otherwise = MAIN.table()["OnDemandThroughput"]["Fn::If"]
    assert condition == "TableIsBounded"
    assert bounded == {
        "MaxReadRequestUnits": {"Ref": "TableMaximumReads"},
        "MaxWriteRequestUnits": {"Ref": "TableMaximumWrites"},
    }
    assert otherwise == {"Ref": "AWS::NoValue"}
