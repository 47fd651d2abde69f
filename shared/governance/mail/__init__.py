"""E-mails: rendered from templates, and sent through Amazon SES (ADR 0042)."""
