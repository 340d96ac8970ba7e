import type { Fixed } from '@steward/contract';
import { z } from 'zod';
import { principal } from '../events/schema.ts';

/** What the tree is made of, in the order of the sequence. */
const link = z.object({
  id: z.uuid(),
  type: z.string(),
  sequence: z.int(),
  occurredAt: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
  principalChain: z.array(principal),
  /** Any identifier: an event here, one elsewhere, a later one, even the event itself. */
  causalId: z.string().optional(),
});
export type Link = Fixed<z.output<typeof link>>;

export const branch = link.extend({
  /** Absent at a root: an event without a cause, with a cause elsewhere, or where a circle of causes was cut. */
  parentId: z.uuid().optional(),
  /** Steps from its root. */
  depth: z.int().min(0),
  /** Events that it caused, in the order of the sequence. */
  children: z.array(z.uuid()),
});
export type Branch = Fixed<z.output<typeof branch>>;

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
