import type { worth } from '@steward/accounting';
import type { TenantTransaction } from '@steward/sql';
import type { Outflow, Taken } from '@steward/tools';

/** What a transaction took, by all who can tell. Where one does not say who has it, nobody does. */
export function allTaken(...parts: readonly (Taken | undefined)[]): Taken | undefined {
  const told = parts.filter((one) => one !== undefined);
  const [first, ...others] = told;
  if (first === undefined || others.length === 0) return first;
  const flows = new Map<string, Outflow>();
  for (const { currency, out, owed } of told.flatMap((one) => one.flows)) {
    const before = flows.get(currency) ?? { currency, out: 0n, owed: 0n };
    flows.set(currency, { currency, out: before.out + out, owed: before.owed + owed });
  }
  return { flows: [...flows.values()], to: undefined };
}

/** The same with what it is worth in the base currency of the books, where a rate is stored: what has no entry yet counts there as its entries would. */
export async function inBaseToo(
  tx: TenantTransaction,
  taken: Taken | undefined,
  worthOf: typeof worth,
): Promise<Taken | undefined> {
  if (taken === undefined) return undefined;
  const based: Taken[] = [];
  for (const { currency, ...flow } of taken.flows)
    for (const part of ['out', 'owed'] as const) {
      if (flow[part] === 0n) continue;
      const found = await worthOf(tx, { currency, minor: flow[part] });
      if (found !== undefined)
        based.push({ flows: [{ currency: found.currency, out: 0n, owed: 0n, [part]: found.minor }], to: undefined });
    }
  return allTaken(taken, ...based);
}
