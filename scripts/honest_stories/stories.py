"""The thirty stories, and those beyond them."""
from . import native, node, python, shop

THIRTY, MORE = [], []
for part in (shop, node, python, native):
    part.add(THIRTY, MORE)
ALL = THIRTY + MORE
