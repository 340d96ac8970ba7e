import { balanceOf, currencyOfBooks, movedByEntries } from '@steward/accounting';
import { moneyShape } from '@steward/contract';
import { money } from '@steward/kernel';
import { statement, type TenantScope } from '@steward/sql';
import { costedBetween, costsOf, type MovedCost, stockValue } from '@steward/stock';
import { z } from 'zod';
import { isOwed } from '../postings/cost.ts';
import { posting, type Posting, selectPostings } from '../postings/posting.ts';
import { account, keptOf, selectProfile, shownProfile } from '../profile/profile.ts';
import { states } from '../words.ts';
import { refused } from './refused.ts';

const together = 500;
const mostSources = 20_000;
const mostDifferences = 200;

const costDifference = z.object({
  /** What moved the goods, such as a fulfilment. */
  sourceId: z.uuid(),
  sourceKind: z.string(),
  /** Null: goods that no order moved. */
  orderId: z.uuid().nullable(),
  /** On which the goods were moved. */
  day: z.string(),
  /** What the movements say, and what the books have of it. */
  cost: moneyShape,
  books: moneyShape,
  /** Of the posting: of one that is not there, null. */
  postingId: z.uuid().nullable(),
  state: z.enum(states).nullable(),
  reason: z.string().nullable(),
});
type CostDifference = z.output<typeof costDifference>;

/** In the base currency of the books. */
export const costFigures = z.object({
  /** What goods cost that left for orders on these days, less what came back, and with what was late. */
  sold: moneyShape,
  /** What goods cost that were lost on these days, less what was found. */
  lost: moneyShape,
  /** Of both, what is in the books, less what was reversed there. */
  posted: moneyShape,
  /** Of both, what waits for people under the mode `drafts`, and is in no account. */
  drafted: moneyShape,
  /** The sum of the differences. */
  notPosted: moneyShape,
  /** Of stock as it is now, and the account of inventory as it is now. */
  stock: z.object({
    /** Of the posting profile; null: it has none, and nothing is posted. */
    account: account.nullable(),
    /** What is on hand cost, and what the account holds. */
    value: moneyShape,
    balance: moneyShape,
    /** Balance less value: `billed` less `broughtIn`, and `notPosted`. */
    difference: moneyShape,
    /** What the account holds of bills, opening balances and entries of people. */
    billed: moneyShape,
    /** What receipts and counts said that goods cost. */
    broughtIn: moneyShape,
    /** What goods of all days cost that were sold and lost, less what entries of them took from the account; drafts too. */
    notPosted: moneyShape,
  }),
  /** The first ones; their number says how many there are. */
  differences: z.array(costDifference),
  differenceCount: z.int(),
});
type CostFigures = z.output<typeof costFigures>;

/** What goods cost by their movements against the books, source by source. @throws Problem `invalid_request` (400) for too many */
export async function compareCosts(
  scope: TenantScope,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<CostFigures> {
  const { context, read } = scope;
  const reading = { context, query: read };
  const currency = await currencyOfBooks(reading);
  const all = await costedBetween(reading, { from, to, limit: mostSources + 1 });
  if (all.length > mostSources) throw refused('/to', `Goods moved more than ${mostSources} times: give fewer days.`);
  const sum = { sold: 0n, lost: 0n, posted: 0n, drafted: 0n };
  const differences: CostDifference[] = [];
  let differenceCount = 0;
  for (let start = 0; start < all.length; start += together) {
    const found = await costsOf(reading, all.slice(start, start + together));
    const some = [...found.values()].filter(isOwed);
    for (const { moved, own, books } of await posted(scope, some)) {
      const due = moved.sold + moved.lost;
      const drafted = own?.state === 'waiting' && own.reason === 'people_post' ? due : 0n;
      sum.sold += moved.sold;
      sum.lost += moved.lost;
      sum.posted += books;
      sum.drafted += drafted;
      if (due === books + drafted) continue;
      differenceCount += 1;
      if (differences.length < mostDifferences)
        differences.push({
          sourceId: moved.sourceId,
          sourceKind: moved.sourceKind,
          orderId: own?.orderId ?? null,
          day: moved.day,
          cost: money(due, currency),
          books: money(books, currency),
          postingId: own?.id ?? null,
          state: own?.state ?? null,
          reason: own?.reason ?? null,
        });
    }
  }
  const told = (minor: bigint) => money(minor, currency);
  return {
    sold: told(sum.sold),
    lost: told(sum.lost),
    posted: told(sum.posted),
    drafted: told(sum.drafted),
    notPosted: told(sum.sold + sum.lost - sum.posted - sum.drafted),
    stock: await stockFigures(scope, currency),
    differences,
    differenceCount,
  };
}

interface Compared {
  readonly moved: MovedCost;
  readonly own: Posting | undefined;
  readonly books: bigint;
}

async function posted({ context, read }: TenantScope, some: readonly MovedCost[]): Promise<Compared[]> {
  const rows = await read(
    selectPostings(
      `p.kind = 'cost' and p.source_id = any ($2::uuid[])`,
      context.tenant,
      some.map(({ sourceId }) => sourceId),
    ),
  );
  const bySource = Map.groupBy(rows.map(posting.read), ({ sourceId }) => sourceId);
  const { expensed } = await movedByEntries(
    context,
    rows.flatMap((row) => posting.read(row).entryId ?? []),
  );
  return some.map((moved) => {
    const own = bySource.get(moved.sourceId) ?? [];
    return {
      moved,
      own: own.find(({ state }) => state === 'posted') ?? own[0],
      books: own.reduce((so, { entryId }) => so + (entryId === null ? 0n : (expensed.get(entryId) ?? 0n)), 0n),
    };
  });
}

async function stockFigures({ context, read }: TenantScope, currency: string): Promise<CostFigures['stock']> {
  const reading = { context, query: read };
  const [kept] = await read(selectProfile(context.tenant));
  const { inventoryAccount } = await shownProfile(reading, keptOf(kept));
  const { value, broughtIn } = await stockValue(reading);
  const balance = inventoryAccount === null ? 0n : await balanceOf(context, inventoryAccount.id);
  const taken = inventoryAccount === null ? 0n : -(await movedOn({ context, read }, inventoryAccount.id));
  const billed = balance + taken;
  const told = (minor: bigint) => money(minor, currency);
  return {
    account: inventoryAccount,
    value: told(value),
    balance: told(balance),
    difference: told(balance - value),
    billed: told(billed),
    broughtIn: told(broughtIn),
    notPosted: told(broughtIn - value - taken),
  };
}

/** Net debit of the account by all entries of goods. */
async function movedOn({ context, read }: Pick<TenantScope, 'context' | 'read'>, accountId: string): Promise<bigint> {
  let sum = 0n;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await read(
      statement(
        `select entry_id::text as entry_id from bookkeeping.posting
         where tenant_id = $1::uuid and kind = 'cost' and entry_id > $2::uuid order by entry_id limit $3::int`,
        [context.tenant, after, mostAtOnce],
      ),
    );
    const ids = rows.map((row) => String(row['entry_id']));
    sum += (await movedByEntries(context, ids, accountId)).account;
    after = ids.at(-1) ?? after;
    if (ids.length < mostAtOnce) return sum;
  }
}
const mostAtOnce = 5_000;
