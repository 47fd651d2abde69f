"""Board packs: one PDF of a meeting's agenda and its papers, made paper by paper in bounded memory (ADR packs)."""
