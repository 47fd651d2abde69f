"""E-mails: rendered from templates, and sent through Amazon SES (ADR mail)."""
