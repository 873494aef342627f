"""Writes what the library tokenizers computes, for TestAgainstTokenizers.

    pip install tokenizers==0.23.3 sentencepiece==0.2.3 protobuf
    python compare.py FOLDER            # 187,920 texts: go test ./tokenizer -all FOLDER/cases.jsonl.gz
    python compare.py . subset          # those that are committed

The first lines are tokenizers, each with its tokenizer.json, the others texts with the numbers and the
tokens of one tokenizer, and what it decodes. Each line is written when it is computed: all together take 1.5 GB.
"""
import glob
import gzip
import io
import json
import os
import random
import sys
import time
import unicodedata

import sentencepiece
from charsmap import charsmap
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

here = os.path.dirname(os.path.abspath(__file__))
corpus = [line for name in sorted(glob.glob(here + "/../../docs/*.md"))[:12] for line in open(name, encoding="utf-8")]
corpus += ["Ünïcödé déjà-vu naïve café ﬁne ½ ①②", "你好，世界！我们学习。", "안녕하세요 세계", "Привет, мир! Как дела?", "مرحبا بالعالم", "👩‍👩‍👧 👍🏽 emoji"] * 20
VOCAB = 400


def bpe(normalizer=None, pre=None, post=None, decoder=None, added=(), trainer=None, **kw):
    t = Tokenizer(models.BPE(**kw))
    return finish(t, trainers.BpeTrainer(vocab_size=VOCAB, show_progress=False, special_tokens=["<unk>", "<s>", "</s>"], **(trainer or {})), normalizer, pre, post, decoder, added)


def finish(t, trainer, normalizer, pre, post, decoder, added):
    if normalizer is not None:
        t.normalizer = normalizer
    if pre is not None:
        t.pre_tokenizer = pre
    if decoder is not None:
        t.decoder = decoder
    t.train_from_iterator(corpus, trainer)
    if post is not None:
        t.post_processor = post(t)
    t.add_tokens(list(added))
    return t


def template(t):
    return processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> $B:1 </s>:1", special_tokens=[("<s>", t.token_to_id("<s>")), ("</s>", t.token_to_id("</s>"))])


GPT4 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
alphabet = {"initial_alphabet": pre_tokenizers.ByteLevel.alphabet()}
added = [AddedToken("[MASK]", lstrip=True), AddedToken("<|end|>", special=True, normalized=False), AddedToken("word", single_word=True), AddedToken("Émile", normalized=True), AddedToken("ab", rstrip=True), AddedToken("abc")]


def wordpiece():
    t = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=20))
    trainer = trainers.WordPieceTrainer(vocab_size=VOCAB, show_progress=False, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    post = lambda t: processors.BertProcessing(("[SEP]", t.token_to_id("[SEP]")), ("[CLS]", t.token_to_id("[CLS]")))
    return finish(t, trainer, normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer(), post, decoders.WordPiece(), [])


def unigram(normalizer, pre, decoder, byte=False, **kw):
    t = Tokenizer(models.Unigram())
    special = ["<unk>", "<s>", "</s>"] + ([f"<0x{b:02X}>" for b in range(256)] if byte else [])
    t = finish(t, trainers.UnigramTrainer(vocab_size=VOCAB + 256 * byte, unk_token="<unk>", show_progress=False, special_tokens=special), normalizer, pre, template, decoder, [])
    if byte:
        f = json.loads(t.to_str())
        f["model"]["byte_fallback"] = True
        f["added_tokens"] = [a for a in f["added_tokens"] if not a["content"].startswith("<0x")]
        t = Tokenizer.from_str(json.dumps(f))
    return t


def llama():
    """Byte fallback, as in the first Llama."""
    t = bpe(normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]), None, template,
            decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]), [], unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    f = json.loads(t.to_str())
    n = len(f["model"]["vocab"])
    for b in range(256):
        f["model"]["vocab"][f"<0x{b:02X}>"] = n + b
    return Tokenizer.from_str(json.dumps(f))


def wordlevel():
    t = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    trainer = trainers.WordLevelTrainer(vocab_size=VOCAB, show_progress=False, special_tokens=["[UNK]"])
    return finish(t, trainer, normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), normalizers.Strip()]), pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Digits(True)]), None, None, [])


def roberta(t):
    return processors.RobertaProcessing(("</s>", t.token_to_id("</s>")), ("<s>", t.token_to_id("<s>")))


tokenizers = {
    "gpt2": bpe(pre=pre_tokenizers.ByteLevel(add_prefix_space=False), post=lambda t: processors.ByteLevel(), decoder=decoders.ByteLevel(), added=added, trainer=alphabet),
    "roberta": bpe(pre=pre_tokenizers.ByteLevel(), post=roberta, decoder=decoders.ByteLevel(), added=[AddedToken("<mask>", lstrip=True)], trainer=alphabet),
    "gpt4": bpe(normalizers.NFC(), pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(GPT4), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]), template, decoders.ByteLevel(), [], alphabet, ignore_merges=True),
    "bert": wordpiece(),
    "cased": finish(Tokenizer(models.WordPiece(unk_token="[UNK]")), trainers.WordPieceTrainer(vocab_size=VOCAB, show_progress=False, special_tokens=["[UNK]"]), normalizers.BertNormalizer(lowercase=False, strip_accents=True, handle_chinese_chars=False), pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.Digits()]), None, decoders.WordPiece(cleanup=False), added),
    "unigram": unigram(normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]), pre_tokenizers.Metaspace(), decoders.Metaspace()),
    "unigram_bytes": unigram(normalizers.NFKD(), pre_tokenizers.Metaspace(prepend_scheme="first", split=False), decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme="first")]), True),
    "albert": unigram(normalizers.Sequence([normalizers.Replace("``", '"'), normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()]), pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="never")]), decoders.Metaspace(prepend_scheme="never")),
    "llama": llama(),
    "wordlevel": wordlevel(),
    "clip": bpe(normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]), pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"), "removed", True), pre_tokenizers.ByteLevel(False)]), template, decoders.ByteLevel(), [], {**alphabet, "end_of_word_suffix": "</w>"}, end_of_word_suffix="</w>", unk_token="<unk>"),
    "suffix": bpe(normalizers.Nmt(), pre_tokenizers.Sequence([pre_tokenizers.CharDelimiterSplit("-"), pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Split(" ", "merged_with_next")]), None, decoders.BPEDecoder(), [], {"end_of_word_suffix": "</w>"}, unk_token="<unk>", end_of_word_suffix="</w>"),
}
# Replacements of SentencePiece: those of NFKC, of some letters with their marks, and of many other characters.
table = {c: unicodedata.normalize("NFKC", c) for c in map(chr, range(0x80, 0x3400)) if unicodedata.normalize("NFKC", c) != c or ord(c) % 3 == 0}
table |= {b + m: unicodedata.normalize("NFC", b + m) for b in "aeiouAEO" for m in "\u0300\u0301\u0308"} | {"\t": " ", "\n": " ", "\r": "", "\r\n": "|", "\u200b": "", "\u200d": "J"}
tokenizers["sentencepiece"] = unigram(normalizers.Precompiled(charsmap(table)), pre_tokenizers.Metaspace(), decoders.Metaspace())


def builtin(rule):
    """One of SentencePiece's own tables, which it writes into each model."""
    model, proto = io.BytesIO(), sentencepiece_model_pb2.ModelProto()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(corpus), model_writer=model, vocab_size=VOCAB, hard_vocab_limit=False, normalization_rule_name=rule, minloglevel=2)
    proto.ParseFromString(model.getvalue())
    return proto.normalizer_spec.precompiled_charsmap


rules = ["nmt_nfkc"] if len(sys.argv) > 2 else ["nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf"]
for rule in rules:
    tokenizers[rule] = unigram(normalizers.Precompiled(builtin(rule)), pre_tokenizers.Metaspace(), decoders.Metaspace())
tokenizers["truncated"] = Tokenizer.from_str(tokenizers["bert"].to_str())
tokenizers["truncated"].enable_truncation(9)
tokenizers["padded"] = Tokenizer.from_str(tokenizers["truncated"].to_str())
tokenizers["padded"].enable_padding(direction="left", pad_id=0, pad_type_id=1, pad_token="[PAD]", length=12, pad_to_multiple_of=8)
tokenizers["multiple"] = Tokenizer.from_str(tokenizers["roberta"].to_str())
tokenizers["multiple"].enable_padding(pad_id=1, pad_token="<pad>", pad_to_multiple_of=8)

r = random.Random(7)
words = sorted({w for line in corpus for w in line.split()})
assigned = [chr(c) for c in range(1, 0x30000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
clusters = ["\u0301", "\u0308", "\u200d", "\u200c", "\u0600", "\u070f", "\u0903", "\u094d", "क", "ष", "☃", "❤", "©", "👍", "🏽", "🇩", "ᄀ", "ᅡ", "ᆨ", "가", "각", "\r", "\n", "\u00ad", "\u2028", "\u0e33", "\ufe0f", "a", "é"]
pieces = [
    lambda: r.choice(words), lambda: r.choice(words), lambda: " ", lambda: r.choice(words) + " ",
    lambda: r.choice("\t\n\r\v\f\u00a0\u2003\u3000\u200b\ufeff\u0085") * r.randint(1, 3), lambda: " " * r.randint(1, 6),
    lambda: r.choice(".,;:!?'\"()[]{}<>-_/\\@#$%^&*+=|~`"), lambda: str(r.randint(0, 10**r.randint(1, 9))),
    lambda: r.choice(["'s", "'re", "n't", "'LL", " 'm", " ' ", "don't", " do not"]),
    lambda: r.choice(["é", "e\u0301", "Å", "A\u030a", "ﬁ", "½", "①", "ﷺ", "İ", "ı", "ß", "Σ", "ς", "ǆ", "ạ̈", "a\u0308\u0323"]),
    lambda: "".join(r.choice("你好世界我们学习中文。，！") for _ in range(r.randint(1, 4))), lambda: "".join(r.choice("안녕하세요가힣각") for _ in range(r.randint(1, 4))),
    lambda: r.choice(["👍🏽", "👩\u200d👩\u200d👧", "🇩🇪", "☃\ufe0f", "😀"]), lambda: r.choice(["مرحبا", "שלום", "Привет", "नमस्ते", "ไทย", "日本語カナ"]),
    lambda: r.choice(["[MASK]", " [MASK] ", "<|end|>", "<s>", "</s>", "<unk>", "[CLS]", "[SEP]", "word", "words", "Émile", "E\u0301mile", "abc", "ab  c", "<mask>", "▁", "</w>", "<0x41>", "##ing"]),
    lambda: "".join(r.choice(assigned) for _ in range(r.randint(1, 3))), lambda: r.choice("\x00\x01\x1f\x7f\x9f\u200d\ufffd\u2028"), lambda: r.choice("aeiou") + "\u0301\u0323\u0308"[: r.randint(1, 3)], lambda: r.choice("abcxyz") * r.randint(1, 30),
    lambda: "".join(r.choice(clusters) for _ in range(r.randint(1, 5))),
]
hostile = [  # long texts without an end at which they could be cut
    lambda: r.choice(["a", "ab", " ", "\n", "'", "é", "e\u0301", "好", "👩\u200d", "\u0301", "1", "▁", "[MASK]", "<|end|>", "\r\n", "ᄀ", "각", "x ", " x"]) * r.randint(100, 3000),
    lambda: "".join(r.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(r.randint(100, 2000))),
    lambda: "".join(r.choice(assigned) for _ in range(r.randint(100, 1000))),
    lambda: "".join(r.choice(clusters) for _ in range(r.randint(100, 1000))),
    lambda: "".join(r.choice(pieces)() for _ in range(300)),
]
subset = len(sys.argv) > 2
folder, n = sys.argv[1], 60 if subset else 100_000 // len(tokenizers) + 1
every = ["x".join(chr(c) for c in range(a, a + 64)) for a in range(0, 0x110000, 64) if not 0xD800 <= a < 0xE000]
raw = open(os.path.join(folder, "cases.jsonl.gz"), "wb")
out = gzip.GzipFile("", "wb", 9 if subset else 1, raw, mtime=0)
lines = 0


def write(x):
    global lines
    lines += 1
    out.write((json.dumps(x, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass"))


def add(name, t, text, *pair):
    e = t.encode(text, *pair)
    write({"tokenizer": name, "text": text, **({"pair": pair[0]} if pair else {}), "ids": e.ids, "tokens": e.tokens, "types": e.type_ids, "mask": e.attention_mask, "decoded": t.decode(e.ids), "all": t.decode(e.ids, skip_special_tokens=False)})


for name, t in tokenizers.items():
    write({"tokenizer": name, "json": t.to_str()})
for name, t in tokenizers.items():
    start = time.time()
    for k in range(n):
        add(name, t, "" if k == 0 else "".join(r.choice(pieces)() for _ in range(r.choice([1, 2, 3, 5, 8, 13, 40]))))
    add(name, t, "a question?", "An answer, which is longer than the question.")
    for k in range(0 if subset else 50):
        add(name, t, "".join(r.choice(hostile)() for _ in range(r.randint(1, 3))))
    print(f"{name}: {time.time() - start:.1f} s", flush=True)
if not subset:  # unknown tokens have the normalized text, so that these show each entry of a table
    for name in ["sentencepiece", *rules]:
        for text in every:
            add(name, tokenizers[name], text)
        print(f"{name}: all characters", flush=True)
out.close()
raw.close()
print(lines, "lines")
