"""The rules of resolutions: how their ballots are counted, and the certificate of what was decided."""
