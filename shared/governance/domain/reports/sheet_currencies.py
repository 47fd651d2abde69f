"""Reads the currency of an amount in a spreadsheet: its ISO 4217 code, or a sign of one or several currencies."""

from __future__ import annotations

from collections.abc import Iterable

Currencies = frozenset[str]
"""The ISO 4217 codes that a sign may stand for."""

_CODES = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLF CLP
CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF
IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR
SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV
WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
"""
_SIGNS = {
    "€": "EUR",
    "$": "USD AUD CAD NZD HKD SGD TWD MXN ARS CLP COP BBD BMD BND BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD UYU XCD",
    "us$": "USD",
    "a$": "AUD",
    "au$": "AUD",
    "c$": "CAD",
    "ca$": "CAD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "nt$": "TWD",
    "mx$": "MXN",
    "r$": "BRL",
    "£": "GBP EGP GIP FKP SHP LBP SYP SSP",
    "¥": "JPY CNY CNH",
    "\uffe5": "JPY CNY CNH",
    "円": "JPY",
    "元": "CNY CNH",
    "₹": "INR",
    "rs": "INR PKR LKR NPR MUR SCR",
    "rs.": "INR PKR LKR NPR MUR SCR",
    "₩": "KRW KPW",
    "₽": "RUB",
    "₺": "TRY",
    "₪": "ILS",
    "₫": "VND",
    "₴": "UAH",
    "₦": "NGN",
    "₱": "PHP",
    "₸": "KZT",
    "₼": "AZN",
    "₾": "GEL",
    "₵": "GHS",
    "৳": "BDT",
    "฿": "THB",
    "kr": "SEK NOK DKK ISK",
    "kr.": "SEK NOK DKK ISK",
    "fr.": "CHF",
    "sfr.": "CHF",
    "zł": "PLN",
    "kč": "CZK",
    "ft": "HUF",
    "lei": "RON MDL",
    "лв": "BGN",
    "лв.": "BGN",
    "r": "ZAR",
    "rm": "MYR",
    "rp": "IDR",
}
CURRENCIES = {sign: Currencies(codes.split()) for sign, codes in _SIGNS.items()} | {
    code.casefold(): Currencies([code]) for code in _CODES.split()
}
"""The currencies that a sign or a code stands for; both are written in any case."""


def known(codes: Iterable[object]) -> Currencies:
    """Returns those that are texts, as codes are written; clients store whatever they like as a currency."""
    return Currencies(code.strip().upper() for code in codes if isinstance(code, str) and code.strip())
