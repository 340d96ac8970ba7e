import { type Statement, statement } from '@steward/sql';

/** A price for one from a quantity on. Minor units. */
export interface Step {
  readonly minQuantity: number;
  readonly amount: bigint;
  readonly compareAt: bigint | null;
}

/** As the database tells it: list, currency, quantity and minor units. */
export type RunningPrice = readonly [listId: string, currency: string, minQuantity: number, amount: string];

/** Price lists named `l` that hold for the brand `$2` at the moment of the statement: begun, and not ended. */
const holds = `(l.brand_id is null or l.brand_id = $2::uuid)
  and l.starts_at <= statement_timestamp() and (l.ends_at is null or l.ends_at > statement_timestamp())`;

const fromLists = `from catalogue.price_list_price w join catalogue.price_list l on l.tenant_id = w.tenant_id and l.price_list_id = w.price_list_id
  where w.tenant_id = v.tenant_id and w.variant_id = v.variant_id and ${holds}`;

/** SQL: the prices of the variant `v` in lists that hold for the brand `$2`, as `RunningPrice`s. @param and a further condition of `l` */
export const runningPrices = (and = 'true'): string =>
  `(select json_agg(json_build_array(w.price_list_id, l.currency, w.min_quantity, w.amount::text) order by w.min_quantity) ${fromLists} and ${and})`;

/** SQL: the lowest price for one of the variant `v` in lists that hold for the brand `$2`, in the currency of `c`; null where none has one. */
export const lowestRunning = `(select min(w.amount) ${fromLists} and l.currency = c.currency and w.min_quantity = 1)`;

/** SQL: milliseconds until a price list of the tenant of `p` begins or ends, where one does within a second. */
export const nextChange = `(select extract(epoch from min(b.at) - statement_timestamp())::double precision * 1000
  from catalogue.price_list l cross join lateral (values (l.starts_at), (l.ends_at)) b (at)
  where l.tenant_id = p.tenant_id and b.at > statement_timestamp() and b.at <= statement_timestamp() + interval '1 second')`;

/** Milliseconds until the next price list of a brand begins or ends, as `left`; null: none does. */
export const nextPriceChange = (tenant: string, brandId: string): Statement =>
  statement(
    `select extract(epoch from min(b.at) - statement_timestamp())::double precision * 1000 as left
     from catalogue.price_list l cross join lateral (values (l.starts_at), (l.ends_at)) b (at)
     where l.tenant_id = $1::uuid and (l.brand_id is null or l.brand_id = $2::uuid) and b.at > statement_timestamp()`,
    [tenant, brandId],
  );

/**
 * What is paid by quantity: at each the lowest of the ordinary price and of those of lists, so that it is the same in whichever order lists began.
 * Where a list lowers the price, the ordinary one is what it is compared with. Lists sell nothing that has no ordinary price.
 * @param own ordinary prices in one currency, from the lowest quantity on
 * @param running prices of lists in that currency, in any order
 */
export function lowered(own: readonly Step[], running: readonly RunningPrice[]): readonly Step[] {
  if (running.length === 0 || own.length === 0) return own;
  const begins = [
    ...own.map((step) => ({ at: step.minQuantity, list: undefined, step })),
    ...running.map(([list, , at, amount]) => ({ at, list, amount: BigInt(amount) })),
  ].toSorted((a, b) => a.at - b.at);
  const byList = new Map<string, bigint>();
  const steps: Step[] = [];
  let ordinary: Step | undefined;
  for (const [index, begin] of begins.entries()) {
    if (begin.list === undefined) ordinary = begin.step;
    else byList.set(begin.list, begin.amount);
    if (ordinary === undefined || begins[index + 1]?.at === begin.at) continue;
    const lowest = [...byList.values()].reduce<bigint | undefined>(
      (least, amount) => (least === undefined || amount < least ? amount : least),
      undefined,
    );
    const step =
      lowest !== undefined && lowest < ordinary.amount
        ? { minQuantity: begin.at, amount: lowest, compareAt: ordinary.amount }
        : { ...ordinary, minQuantity: begin.at };
    const last = steps.at(-1);
    if (last?.amount !== step.amount || last.compareAt !== step.compareAt) steps.push(step);
  }
  return steps;
}
