"""The list of what may stay of a paper: for each kind of dictionary in a PDF, the members that a pack copies.

Everything else is left out: what runs, fetches or embeds a file has no member here. What a name means depends on the
dictionary that it stands in: names of resources, fonts and glyphs mean nothing (ISO 32000-1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PLAIN = "plain"
"""Numbers, names, strings and arrays of them; no dictionary and no stream."""


@dataclass(frozen=True)
class Kind:
    """A kind of dictionary or stream: the kinds of its members by their names, and of every other member."""

    members: Mapping[str, str] = field(default_factory=dict)
    others: str | None = None


def _kind(plain: str, others: str | None = None, **members: str) -> Kind:
    named = {f"/{name}": kind for name, kind in members.items()}
    return Kind({**{f"/{name}": PLAIN for name in plain.split()}, **named}, others)


_OF_FUNCTIONS = "FunctionType Domain Range Bounds Encode C0 C1 N Size BitsPerSample Order Decode"

KINDS: Mapping[str, Kind] = {
    PLAIN: Kind(),
    "data": Kind(),
    "page": _kind("UserUnit", Group="group"),
    "resources": _kind(
        "ProcSet",
        ExtGState="states",
        ColorSpace="colors",
        Pattern="patterns",
        Shading="shadings",
        XObject="xobjects",
        Font="fonts",
        Properties="properties",
    ),
    "states": Kind(others="state"),
    "colors": Kind(others="color"),
    "patterns": Kind(others="pattern"),
    "shadings": Kind(others="shading"),
    "xobjects": Kind(others="xobject"),
    "fonts": Kind(others="font"),
    "properties": Kind(others="property"),
    "property": _kind("MCID ActualText Alt E Lang"),
    "state": _kind(
        "Type LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK UseBlackPtComp",
        Font="font",
        BG="function",
        BG2="function",
        UCR="function",
        UCR2="function",
        TR="function",
        TR2="function",
        SMask="soft mask",
    ),
    "soft mask": _kind("Type S BC", G="xobject", TR="function"),
    "function": _kind(_OF_FUNCTIONS, Functions="function"),
    "color": _kind(
        f"{_OF_FUNCTIONS} WhitePoint BlackPoint Gamma Matrix Subtype",
        Alternate="color",
        Functions="function",
        Colorants="colors",
        Process="process",
        MixingHints="mixing hints",
    ),
    "process": _kind("Components", ColorSpace="color"),
    "mixing hints": _kind("PrintingOrder", Solidities="solidities", DotGain="gains"),
    "solidities": Kind(others=PLAIN),
    "gains": Kind(others="function"),
    "pattern": _kind(
        "Type PatternType PaintType TilingType BBox XStep YStep Matrix",
        Resources="resources",
        Shading="shading",
        ExtGState="state",
    ),
    "shading": _kind(
        "ShadingType Background BBox AntiAlias Domain Coords Extend Matrix BitsPerCoordinate BitsPerComponent"
        " BitsPerFlag Decode VerticesPerRow",
        ColorSpace="color",
        Function="function",
    ),
    "image": _kind(
        "Type Subtype Name Width Height BitsPerComponent Intent ImageMask Decode Interpolate SMaskInData Matte",
        ColorSpace="color",
        Mask="image",
        SMask="image",
    ),
    "form": _kind("Type Subtype Name FormType BBox Matrix", Resources="resources", Group="group"),
    "group": _kind("Type S I K", CS="color"),
    "font": _kind(
        "Type Subtype Name BaseFont FirstChar LastChar Widths DW W DW2 W2 FontBBox FontMatrix",
        FontDescriptor="descriptor",
        Encoding="encoding",
        ToUnicode="encoding",
        DescendantFonts="font",
        CIDSystemInfo="character collection",
        CIDToGIDMap="data",
        CharProcs="glyphs",
        Resources="resources",
    ),
    "glyphs": Kind(others="glyph"),
    "glyph": Kind(),
    "encoding": _kind(
        "Type BaseEncoding Differences CMapName WMode", CIDSystemInfo="character collection", UseCMap="encoding"
    ),
    "character collection": _kind("Registry Ordering Supplement"),
    "descriptor": _kind(
        "Type FontName FontFamily FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight"
        " XHeight StemV StemH AvgWidth MaxWidth MissingWidth CharSet Lang",
        FontFile="font file",
        FontFile2="font file",
        FontFile3="font file",
        Style="style",
        FD="descriptors",
        CIDSet="data",
    ),
    "descriptors": Kind(others="descriptor"),
    "style": _kind("Panose"),
    "font file": _kind("Subtype Length1 Length2 Length3"),
    "filter parameters": _kind(
        "Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1"
        " DamagedRowsBeforeError ColorTransform",
        JBIG2Globals="data",
    ),
}
OF_STREAMS: Mapping[str, str] = {"/Filter": PLAIN, "/DecodeParms": "filter parameters"}
"""The members that every stream keeps; not those of a file elsewhere that has its content."""
