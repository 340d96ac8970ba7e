import type { Deps } from '../deps.ts';
import type { Fact } from '../shown/facts.ts';
import type { Action } from './action.ts';
import { differences, type Drift } from './difference.ts';
import type { Shown } from './preview.ts';

/** Further changes are not listed one by one. */
const most = 50;

/** What of an action would now differ from what it shows, for a person who was about to approve it. */
export function driftOf({ binding }: Pick<Deps, 'binding'>, held: Action, now: Shown): Drift[] {
  const before = new Map(held.facts.map((fact) => [`${fact.noun} ${fact.id}`, fact]));
  const found: Drift[] = [];
  for (const fact of now.facts) {
    const key = `${fact.noun} ${fact.id}`;
    const was = before.get(key);
    before.delete(key);
    const of = `${fact.noun} ${was?.name ?? fact.name ?? ''}`.trim();
    const changes =
      was === undefined
        ? [{ pointer: '', after: fact.name ?? fact.id }]
        : differences(told(binding.boundFact(was)), told(binding.boundFact(fact)));
    found.push(...changes.map((change) => ({ of, id: fact.id, ...change })));
  }
  for (const { noun, id, name } of before.values())
    found.push({ of: `${noun} ${name ?? ''}`.trim(), id, pointer: '', before: name ?? id });
  const bound = (preview: unknown): unknown => binding.boundPreview(held.tool, preview, () => false);
  found.push(...differences(bound(held.preview), bound(JSON.parse(now.preview))));
  return found.slice(0, most);
}

/** Facts at the top, and what would become of them beside them. */
const told = ({ before, after }: Fact): unknown =>
  JSON.parse(JSON.stringify({ ...before, ...(after === undefined ? {} : { 'would be': after }) }));
