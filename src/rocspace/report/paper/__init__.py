"""Tables for papers: what is in them, and the formats that they are written in."""
