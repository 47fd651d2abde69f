"""The scan of an uploaded file, and the deletion of an upload that was never completed."""
