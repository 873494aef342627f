"""The tables of the normalizer Precompiled."""
import struct


def charsmap(table):
    """SentencePiece's table of replacements: a double array and texts."""
    trie, texts, units = {}, b"", [0] * 256
    for key, text in table.items():
        node = trie
        for b in key.encode():
            node = node.setdefault(b, {})
        if text.encode() + b"\0" not in texts:
            texts += text.encode() + b"\0"
        node["text"] = texts.index(text.encode() + b"\0")
    nodes, values = [(trie, 0)], []
    while nodes or values:  # values behind the nodes, so that these have aligned places
        node, at = nodes.pop() if nodes else values.pop()
        base = len(units)
        units += [0] * (256 if len(node) > 1 or "text" not in node else 1)
        units[at] |= (at ^ base) << 10
        for b, child in node.items():
            if b == "text":
                units[at] |= 1 << 8
                units[base] = child | 1 << 31
            else:
                units[base ^ b] = b
                (nodes if len(child) > 1 or "text" not in child else values).append((child, base ^ b))
    assert len(units) < 1 << 21
    data = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(data)) + data + texts
