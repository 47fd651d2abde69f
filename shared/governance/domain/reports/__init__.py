"""Reports with dashboards, figures and checks, reporting cycles and bets."""
