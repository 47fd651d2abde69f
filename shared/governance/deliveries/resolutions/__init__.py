"""The results of resolutions whose time is over."""
