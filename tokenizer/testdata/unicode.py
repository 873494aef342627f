"""Writes ../unicode.txt.gz: what the library tokenizers knows of characters.

    pip install tokenizers==0.23.3
    python unicode.py      # Python 3.11

Rows are C and K, the canonical and the compatibility decomposition of a character; P, a character
and the two that compose to it; O, the class of a combining character; and ranges of characters: M,
those that BERT drops as accents, A those that StripAccents drops, X those that BERT drops as
controls, U punctuation. The library's tables are those of several versions of Unicode.

Sets of grapheme clusters are those that the normalizer Precompiled shows, which replaces a cluster
of less than 6 bytes as a whole: J joins what precedes it, B what follows it, N neither, I is a
pictograph, T may stand between one and U+200D; S are the consonants of conjuncts, V and L may
stand between two of them, of which one must be an L.
"""
import gzip
import unicodedata as u

from charsmap import charsmap
from tokenizers import normalizers as n, pre_tokenizers as p

lines = []
nfc, nfd, nfkd = n.NFC(), n.NFD(), n.NFKD()
accents = n.BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False)
clean = n.BertNormalizer(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=False)
strip, punctuation = n.StripAccents(), p.Punctuation("isolated")
sets = {k: [] for k in "MAXUJBNITSVL"}
every = n.Precompiled(charsmap({chr(c): "Z" for c in range(1, 0x10000) if not 0xD800 <= c < 0xE000}))


def joined(s, t):
    """Whether there is no boundary between s and t, which is a cluster of less than 6 bytes."""
    return every.normalize_str(s + t) != every.normalize_str(s) + every.normalize_str(t)


for c in range(0x110000):
    if 0xD800 <= c < 0xE000:
        continue
    s = chr(c)
    for kind, is_in in (
        ("M", accents.normalize_str(s) == ""), ("A", strip.normalize_str(s) == ""), ("X", clean.normalize_str(s) == ""),
        ("U", len(punctuation.pre_tokenize_str("a" + s + "b")) == 3),
        ("J", joined("a", s)), ("B", joined(s, "a\u0301")), ("N", not joined(s, "\u0301\u0301")),
        ("I", joined(s + "\u200d", "☃\u0301")), ("T", joined("a", s) and joined("☃" + s + "\u200d", "☃\u0301")),
        ("S", joined(s + "\u094d", "क\u0301")), ("V", joined("a", s) and joined("क\u094d" + s, "क\u0301")), ("L", joined("a", s) and joined("क" + s, "क\u0301")),
    ):
        if is_in and sets[kind] and sets[kind][-1][1] == c - 1:
            sets[kind][-1][1] = c
        elif is_in:
            sets[kind].append([c, c])
    if 0xAC00 <= c < 0xAC00 + 11172:
        continue
    d, k = nfd.normalize_str(s), nfkd.normalize_str(s)
    row = lambda kind, text: lines.append(" ".join([kind, f"{c:x}", *(f"{ord(x):x}" for x in text)]))
    if d != s:
        row("C", d)
    if k != d:
        row("K", k)
    raw = u.decomposition(s).split()
    if len(raw) == 2 and not raw[0].startswith("<"):
        pair = "".join(chr(int(x, 16)) for x in raw)
        if nfc.normalize_str(s) == s:  # not excluded
            row("P", pair)
    if u.combining(s):
        lines.append(f"O {c:x} {u.combining(s):x}")
for kind, ranges in sets.items():
    lines += [f"{kind} {a:x} {b:x}" for a, b in ranges]
with open("../unicode.txt.gz", "wb") as f:
    f.write(gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0))
