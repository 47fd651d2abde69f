"""Meetings with their slots, votes, answers, agendas and minutes."""
