"""Writes ../unicode.txt.gz: what the library tokenizers knows of characters.

    pip install tokenizers==0.23.3
    python unicode.py      # Python 3.11

Rows are C and K, the canonical and the compatibility decomposition of a character; P, a character
and the two that compose to it; O, the class of a combining character; and ranges of characters: M,
those that BERT drops as accents, A those that StripAccents drops, X those that BERT drops as
controls, U punctuation. The library's tables are those of several versions of Unicode.
"""
import gzip
import unicodedata as u

from tokenizers import normalizers as n, pre_tokenizers as p

lines = []
nfc, nfd, nfkd = n.NFC(), n.NFD(), n.NFKD()
accents = n.BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False)
clean = n.BertNormalizer(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=False)
strip, punctuation = n.StripAccents(), p.Punctuation("isolated")
sets = {k: [] for k in "MAXU"}
for c in range(0x110000):
    if 0xD800 <= c < 0xE000:
        continue
    s = chr(c)
    for kind, is_in in (
        ("M", accents.normalize_str(s) == ""), ("A", strip.normalize_str(s) == ""), ("X", clean.normalize_str(s) == ""),
        ("U", len(punctuation.pre_tokenize_str("a" + s + "b")) == 3),
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
