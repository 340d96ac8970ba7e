"""The tree of RFC 6962."""

from check import sha256
from signed_note import demand


def tree_root(leaves):
    """RFC 6962 section 2.1, by the stack of full subtrees."""
    stack = []
    for index, data in enumerate(leaves):
        node = sha256(b"\0", data)
        while index & 1:
            node = sha256(b"\1", stack.pop(), node)
            index >>= 1
        stack.append(node)
    if not stack:
        return sha256()
    root = stack.pop()
    while stack:
        root = sha256(b"\1", stack.pop(), root)
    return root


def root_along(data, index, size, path):
    """RFC 9162 section 2.1.3.2."""
    node, last = sha256(b"\0", data), size - 1
    for sibling in path:
        demand(last > 0, "the path is too long")
        if index & 1 or index == last:
            node = sha256(b"\1", sibling, node)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            node = sha256(b"\1", node, sibling)
        index, last = index >> 1, last >> 1
    demand(last == 0, "the path is too short")
    return node
