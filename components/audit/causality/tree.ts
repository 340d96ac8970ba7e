import type { Principal } from '../envelope/envelope.ts';

/** What the tree is made of, in the order of the sequence. */
export interface Link {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly principalChain: readonly Principal[];
  /** Any identifier: an event here, one elsewhere, a later one, even the event itself. */
  readonly causalId: string | undefined;
}

export interface Branch extends Link {
  /** Undefined at a root: an event without a cause, with a cause elsewhere, or where a circle of causes was cut. */
  readonly parentId: string | undefined;
  /** Steps from its root. */
  readonly depth: number;
  /** Events that it caused, in the order of the sequence. */
  readonly children: readonly string[];
}

/**
 * The events as a tree, each before what it caused, siblings in the order of the sequence. Flat, because a chain of a
 * thousand causes nests deeper than JSON readers take. A circle of causes is cut before its first event.
 */
export function arrange(links: readonly Link[]): Branch[] {
  const parents = parentsOf(links);
  const children = Map.groupBy(
    links.filter(({ id }) => parents.has(id)),
    ({ id }) => parents.get(id)?.id,
  );
  const branches: Branch[] = [];
  const waiting = links
    .filter(({ id }) => !parents.has(id))
    .toReversed()
    .map((link) => ({ link, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { link, depth } = next;
    const caused = children.get(link.id) ?? [];
    branches.push({ ...link, parentId: parents.get(link.id)?.id, depth, children: caused.map(({ id }) => id) });
    waiting.push(...caused.toReversed().map((child) => ({ link: child, depth: depth + 1 })));
  }
  return branches;
}

/** By an event's id, its cause among these events; what would close a circle is left out. */
function parentsOf(links: readonly Link[]): ReadonlyMap<string, Link> {
  const byId = new Map(links.map((link) => [link.id, link]));
  const parents = new Map<string, Link>();
  for (const link of links) {
    const parent = link.causalId === undefined ? undefined : byId.get(link.causalId);
    if (parent !== undefined) parents.set(link.id, parent);
  }
  const settled = new Set<string>();
  for (const link of links) {
    const path = new Set<string>();
    let at: Link | undefined = link;
    while (at !== undefined && !settled.has(at.id) && !path.has(at.id)) {
      path.add(at.id);
      at = parents.get(at.id);
    }
    // In the order of the sequence, the first event on a circle is the one from which it is walked into first, unless
    // an earlier one leads there from outside.
    if (at !== undefined && path.has(at.id)) parents.delete(firstOf(at, parents).id);
    path.forEach((id) => settled.add(id));
  }
  return parents;
}

function firstOf(on: Link, parents: ReadonlyMap<string, Link>): Link {
  let first = on;
  for (let at = parents.get(on.id); at !== undefined && at.id !== on.id; at = parents.get(at.id))
    if (at.sequence < first.sequence) first = at;
  return first;
}
