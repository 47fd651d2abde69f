"""Resolutions in the table: heads in the partition of their board, what is large in one of each resolution."""
