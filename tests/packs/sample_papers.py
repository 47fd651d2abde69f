"""Small papers, each of which has something that a copy of a PDF may lose, reveal or carry along."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, String

from tests.packs.making import of_reportlab, raw

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def stream(members: bytes, content: bytes) -> bytes:
    """Returns a stream with these members."""
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (members, len(content), content)


def page(resources: bytes, content: bytes, *others: bytes, of_page: bytes = b"", of_catalog: bytes = b"") -> bytes:
    """Returns a paper of one page; the font is object 5, and others are 6 and on."""
    return raw(
        [
            b"<< /Type /Catalog /Pages 2 0 R %s >>" % of_catalog,
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F 5 0 R >> %s >>"
            b" /Contents 4 0 R %s >>" % (resources, of_page),
            stream(b"", content),
            FONT,
            *others,
        ]
    )


def show(text: str, height: int) -> bytes:
    """Returns the content that shows a text at a height of the page."""
    return b"BT /F 14 Tf 20 %d Td (%s) Tj ET " % (height, text.encode())


def image(color: bytes = b"/DeviceGray", content: bytes = b"\0\x50\xa0\x1e", members: bytes = b"") -> bytes:
    """Returns a picture of four dots."""
    head = b"/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace %s %s"
    return stream(head % (color, members), content)


def named_picture(in_resources: bytes, in_content: bytes) -> bytes:
    """Returns a paper whose picture has one spelling of its name in the resources, and one in the content."""
    return page(b"/XObject << %s 6 0 R >>" % in_resources, b"q 160 0 0 160 20 20 cm %s Do Q" % in_content, image())


def named_font(name: bytes) -> bytes:
    """Returns a paper whose font has this name."""
    return page(b"", b"BT %s 14 Tf 20 100 Td (Letters) Tj ET" % name).replace(b"/Font << /F ", b"/Font << %s " % name)


def named_glyphs() -> bytes:
    """Returns a paper with a font that draws its own glyphs, which are named like actions."""
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 10 10] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 65"
        b" /LastChar 67 /Widths [12 12 12] /Encoding << /Differences [65 /A /AA /JS] >>"
        b" /CharProcs << /A 7 0 R /AA 8 0 R /JS 9 0 R >> /Resources << >> >>"
    )
    glyphs = (stream(b"", b"12 0 d0 0 0 %d 9 re f" % width) for width in (3, 6, 9))
    return page(b"/Font << /F 5 0 R /A 6 0 R >>", b"BT /A 20 Tf 20 100 Td (ABC) Tj ET", font, *glyphs)


# -- layers

_LAYERS = b"<< /Type /OCG /Name (Internal) >>", b"<< /Type /OCG /Name (Public) >>"
_BOTH = b"[6 0 R 7 0 R]"
HIDDEN, VISIBLE = "Hidden salaries", "Layer that is on"


def layered(config: bytes, *others: bytes, hidden: bytes = b"6 0 R", internal: bytes = _LAYERS[0]) -> bytes:
    """Returns a paper with two layers; `hidden` is what the first mark belongs to, and others are objects 8 and on."""
    content = show("Board paper", 160) + b"/OC /L1 BDC " + show(HIDDEN, 100) + b"20 20 40 40 re f EMC "
    content += b"/OC /L2 BDC " + show(VISIBLE, 60) + b"EMC"
    return page(
        b"/Properties << /L1 %s /L2 7 0 R >>" % hidden,
        content,
        internal,
        _LAYERS[1],
        *others,
        of_catalog=b"/OCProperties << /OCGs %s /D << %s >> >>" % (_BOTH, config),
    )


def _membership(members: bytes) -> bytes:
    return layered(b"/OFF [6 0 R]", b"<< /Type /OCMD %s >>" % members, hidden=b"8 0 R")


def _layered_form(of_outer: bytes, of_inner: bytes) -> bytes:
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 300 200]"
    fonts = b"/Font << /F 5 0 R >>"
    outer = stream(head + b" /Resources << /XObject << /X 9 0 R >> >> " + of_outer, b"/X Do")
    inner = stream(head + b" /Resources << %s >> " % fonts + of_inner, show(HIDDEN, 100))
    config = b"/OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [6 0 R] >> >>"
    content = b"/X Do " + show(VISIBLE, 60)
    return page(b"/XObject << /X 8 0 R >>", content, *_LAYERS, outer, inner, of_catalog=config)


def _layered_annotation() -> bytes:
    appearance = stream(
        b"/Type /XObject /Subtype /Form /BBox [0 0 200 30] /Resources << /Font << /F 5 0 R >> >>", show(HIDDEN, 8)
    )
    annotation = b"<< /Type /Annot /Subtype /Stamp /Rect [20 90 220 120] /F 4 /OC 6 0 R /AP << /N 8 0 R >> >>"
    config = b"/OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [6 0 R] >> >>"
    return page(b"", show(VISIBLE, 60), *_LAYERS, appearance, annotation, of_page=b"/Annots [9 0 R]", of_catalog=config)


def _layer_in_a_form() -> bytes:
    form = stream(
        b"/Type /XObject /Subtype /Form /BBox [0 0 300 200]"
        b" /Resources << /Font << /F 5 0 R >> /Properties << /P 6 0 R >> >>",
        b"/Artifact BMC /OC /P BDC /Span << >> BDC " + show(HIDDEN, 100) + b"EMC EMC EMC " + show(VISIBLE, 60),
    )
    config = b"/OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [6 0 R] >> >>"
    return page(b"/XObject << /X 8 0 R >>", b"/X Do", *_LAYERS, form, of_catalog=config)


_USAGE = b"<< /Type /OCG /Name (Internal) /Usage << /View << /ViewState /OFF >> >> >>"
HIDDEN_LAYERS: Mapping[str, bytes] = {
    "off": layered(b"/OFF [6 0 R] /Order [6 0 R 7 0 R]"),
    "not on, where the base is off": layered(b"/BaseState /OFF /ON [7 0 R]"),
    "off by its usage": layered(b"/AS [<< /Event /View /Category [/View] /OCGs [6 0 R] >>]", internal=_USAGE),
    "off in a membership": _membership(b"/OCGs 6 0 R"),
    "any on": _membership(b"/OCGs [6 0 R null] /P /AnyOn"),
    "all on": _membership(b"/OCGs [6 0 R 7 0 R] /P /AllOn"),
    "any off": _membership(b"/OCGs [7 0 R] /P /AnyOff"),
    "all off": _membership(b"/OCGs [6 0 R 7 0 R] /P /AllOff"),
    "an expression": _membership(b"/OCGs [7 0 R] /P /AnyOn /VE [/And 7 0 R [/Not [/Or [/Not 6 0 R] 6 0 R]]]"),
    "a form": _layered_form(b"/OC 6 0 R", b""),
    "a form in a form": _layered_form(b"", b"/OC 6 0 R"),
    "a mark in a form": _layer_in_a_form(),
}
"""Papers whose hidden text nobody sees who opens them."""
HIDDEN_ANNOTATION = _layered_annotation()
VISIBLE_LAYERS: Mapping[str, bytes] = {
    "on": layered(b"/Order [6 0 R]"),
    "on, where the base is off": layered(b"/BaseState /OFF /ON [6 0 R 7 0 R]"),
    "any on": _membership(b"/OCGs [6 0 R 7 0 R]"),
    "any off": _membership(b"/OCGs [6 0 R 7 0 R] /P /AnyOff"),
    "an expression": _membership(b"/VE [/Not 6 0 R]"),
    "without groups": _membership(b"/OCGs []"),
}

# -- forms


@dataclass(frozen=True)
class Field:
    """A field of a form that is one widget: its members, and its height in points."""

    members: Mapping[str, Any]
    height: int = 24
    old: str = ""
    """What its appearance shows; none has no appearance."""


def with_fields(fields: Sequence[Field], stale: bool = False) -> bytes:
    """Returns a paper with fields from the top to the bottom; `stale` declares their appearances out of date."""
    written = io.BytesIO()
    with pikepdf.new() as pdf:
        first = pdf.add_blank_page(page_size=(400, 400)).obj
        fonts: dict[str, Any] = {
            name: pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{base}")))
            for name, base in (("Helv", "Helvetica"), ("ZaDb", "ZapfDingbats"))
        }
        fonts["Helv"].Encoding = Name.WinAnsiEncoding
        top, widgets = 380, []
        for number, field in enumerate(fields):
            top -= field.height + 10
            of_all = {"F": 4, "DA": String("/Helv 12 Tf 0 g"), "T": String(f"field{number}")}
            place = Array([20, top, 260, top + field.height])
            widget = Dictionary(Type=Name.Annot, Subtype=Name.Widget, Rect=place, **{**of_all, **field.members})
            if field.old:
                widget.AP = Dictionary(N=_appearance(pdf, field, fonts["Helv"]))
            widgets.append(pdf.make_indirect(widget))
        first.Annots = Array(widgets)
        pdf.Root.AcroForm = Dictionary(
            Fields=Array(widgets), DA=String("/Helv 12 Tf 0 g"), DR=Dictionary(Font=Dictionary(**fonts))
        )
        if stale:
            pdf.Root.AcroForm.NeedAppearances = True
        pdf.save(written)
    return written.getvalue()


def _appearance(pdf: pikepdf.Pdf, field: Field, font: Object) -> Object:
    content = b"" if field.old == "empty" else b"/Tx BMC BT /Helv 12 Tf 4 8 Td (%s) Tj ET EMC" % field.old.encode()
    form = pdf.make_stream(content)
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 240, field.height])
    form.Resources = Dictionary(Font=Dictionary(Helv=font))
    return form


_MULTILINE, _PASSWORD, _COMBO, _COMB = (1 << bit for bit in (12, 13, 17, 24))
_LOOKS = Dictionary(BC=Array([0, 0, 1]), BG=Array([1, 1, 0.9]))


def text_field(value: str, old: str = "", height: int = 24, **members: Any) -> Field:
    """Returns a field for text."""
    return Field({"FT": Name.Tx, "V": String(value), **members}, height, old)


def _choice(value: str, combo: bool) -> Field:
    options = Array([Array([String("a"), String("First")]), Array([String("b"), String("Second choice")])])
    flags = _COMBO if combo else 0
    return Field({"FT": Name.Ch, "V": String(value), "Opt": options, "Ff": flags}, 24 if combo else 50)


FIELDS: Mapping[str, tuple[Field, str]] = {
    "a value": (text_field("Limit 250 000"), "Limit 250 000"),
    "several lines": (text_field("First line\nand a second", height=60, Ff=_MULTILINE), "and a second"),
    "a comb": (text_field("AB12", MaxLen=8, Ff=_COMB), "A"),
    "to the right": (text_field("Right", Q=2), "Right"),
    "as it fits": (text_field("Fitting", DA=String("/Helv 0 Tf 1 0 0 rg")), "Fitting"),
    "letters beyond Latin": (text_field("Ελλάδα Україна Łódź"), "Ελλάδα Україна Łódź"),
    "with a frame": (text_field("Framed", MK=_LOOKS), "Framed"),
    "a chosen option": (_choice("b", combo=True), "Second choice"),
    "a list": (_choice("b", combo=False), "Second choice"),
}
"""Fields, and the text that a reader shows of them."""
PASSWORD = text_field("secret", old="secret", Ff=_PASSWORD)


def with_buttons(stale: bool, state: str | None, value: str) -> bytes:
    """Returns a paper with a check box of this value, whose appearance is in a state or in none."""
    written = io.BytesIO()
    box = Field({"FT": Name.Btn, "V": Name(f"/{value}"), **({"AS": Name(f"/{state}")} if state else {})})
    with pikepdf.open(io.BytesIO(with_fields([box], stale))) as pdf:
        forms: dict[str, Any] = {}
        for name, drawn in (("Yes", b"0 0 240 24 re f"), ("Off", b"0 0 10 24 re f")):
            form = pdf.make_stream(drawn)
            form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 240, 24])
            forms[name] = form
        pdf.pages[0].Annots[0].AP = Dictionary(N=Dictionary(**forms))
        pdf.save(written)
    return written.getvalue()


# -- encryption

ENCRYPTIONS: Mapping[str, Mapping[str, Any]] = {
    "RC4 of 40 bits": {"R": 2, "aes": False, "metadata": False},
    "RC4 of 128 bits": {"R": 3, "aes": False, "metadata": False},
    "AES of 128 bits": {"R": 4, "aes": True},
    "AES of 256 bits": {"R": 6, "aes": True},
}


def with_password(owner: str, user: str = "", **members: Any) -> bytes:
    """Returns a paper with these passwords."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(of_reportlab("Owned"))) as pdf:
        pdf.save(written, encryption=pikepdf.Encryption(owner=owner, user=user, **members))
    return written.getvalue()
