"""Action items of meetings, with their days and their assignees."""
