"""Meetings with their slots, votes, answers, agendas, minutes and action items."""
