import { generalLedger, recordEntry, trialBalance } from '@steward/accounting';
import { sql, type TenantContext } from '@steward/sql';
import { postByHand } from './ledger/by-hand.ts';
import { createWorld, type World } from './ledger/world.ts';
import { type Bench, interleave, median, type Row, sized } from './report.ts';

const rounds = sized(7);
const entries = sized(150, 10);
const million = sized(1_000_000, 2_000);

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

export default {
  name: 'The ledger: posting, and reports over a million postings',
  run: async () => {
    await using world = await createWorld();
    return [await posting(world), ...(await reports(world))];
  },
} satisfies Bench;

/** One caller, one entry after the other: what a verb costs beyond its statements. */
async function posting(world: World): Promise<Row> {
  const [ours, theirs] = [await world.tenant(), await world.tenant()];
  const ids = await world.admin.query<{ account_id: string }>(sql`
    select account_id from accounting.account where tenant_id = ${theirs.tenant} and code in ('1000', '4000', '4010', '4900') order by code`);
  const accounts = ids.map(({ account_id }) => account_id);
  const day = '2026-03-15';
  const many = async (one: () => Promise<unknown>): Promise<number> => {
    const spent = await timed(async () => {
      for (let n = 0; n < entries; n += 1) await one();
    });
    return entries / (spent / 1000);
  };
  const verb = async () =>
    recordEntry(ours, {
      date: day,
      currency: 'EUR',
      narration: 'Sale',
      lines: [
        { account: '1000', debit: '30.00' },
        ...['4000', '4010', '4900'].map((account) => ({ account, credit: '10.00' })),
      ],
    });
  const hand = async () => postByHand(world.admin, theirs.tenant, accounts, day);
  await many(verb);
  await many(hand);
  const { steward, plain } = await interleave(rounds, {
    steward: async () => many(verb),
    plain: async () => many(hand),
  });
  return {
    name: 'a four-legged entry through the verb against a transaction by hand',
    ratio: steward / plain,
    bar: { atLeast: 0.7 },
    detail: `${Math.round(steward)} against ${Math.round(plain)} entries a second, one caller, superuser by hand`,
  };
}

async function reports(world: World): Promise<Row[]> {
  const [small, large] = [await world.tenant(), await world.tenant()];
  await fill(world, small, 1_000);
  await fill(world, large, million);
  await world.admin.withClient(async (client) =>
    client.query('vacuum analyze accounting.posting, accounting.entry, accounting.balance'),
  );
  const times: number[] = [];
  for (let n = 0; n < 9; n += 1) times.push(await timed(async () => trialBalance(large, { asOf: '2026-12-31' })));
  const shown = await trialBalance(large, { asOf: '2026-12-31' });
  const [scan] = await world.admin.query<{ total: bigint }>(sql`
    select sum(net)::bigint as total from (
      select sum(base) as net from (
        select debit_account_id as account, base_amount as base from accounting.posting where tenant_id = ${large.tenant}
        union all select credit_account_id, -base_amount from accounting.posting where tenant_id = ${large.tenant}) s
      group by account having sum(base) > 0) positive`);
  if (shown.debit.amount.replace('.', '') !== String(scan?.total))
    throw new Error('the trial balance is not that of a full scan');
  const page = async (books: TenantContext): Promise<number> => {
    const wish = { accountId: '1000', from: '2024-01-01', to: '2026-12-31' };
    let cursor = (await generalLedger(books, { ...wish, limit: 100 })).nextCursor ?? undefined;
    return timed(async () => {
      for (let n = 0; n < 4; n += 1)
        cursor = (await generalLedger(books, { ...wish, limit: 100, cursor })).nextCursor ?? cursor;
    });
  };
  const pages = await interleave(rounds, { small: async () => page(small), large: async () => page(large) });
  return [
    {
      name: 'trial balance over a million postings, ms',
      ratio: median(times),
      bar: { atMost: 150 },
      detail: 'from the sums that posting keeps, equal to a full scan',
    },
    {
      name: 'a page of the general ledger, a million postings against a thousand',
      ratio: pages.large / pages.small,
      bar: { atMost: 1.5 },
      detail: `${(pages.large / 4).toFixed(1)} against ${(pages.small / 4).toFixed(1)} ms a page of 100`,
    },
  ];
}

/** Postings over three years, put there as posting would have left them. */
async function fill(world: World, { tenant }: TenantContext, postings: number): Promise<void> {
  await world.admin.query(sql`
    insert into accounting.entry (tenant_id, entry_id, number, posting_date, currency, rate, narration, kind, event_id)
    select ${tenant}::uuid, gen_random_uuid(), n, date '2024-01-01' + (n % 1096)::int, 'EUR', 1, 'Filled', 'journal', gen_random_uuid()
    from generate_series(1, ${Math.ceil(postings / 4)}::int) n`);
  await world.admin.query(sql`
    insert into accounting.posting (tenant_id, entry_id, line, debit_account_id, credit_account_id, amount, base_amount, posting_date, number)
    select e.tenant_id, e.entry_id, line, d.account_id, c.account_id, 100 + e.number % 900, 100 + e.number % 900, e.posting_date, e.number
    from accounting.entry e cross join generate_series(1, 4) line
    join accounting.account d on d.tenant_id = e.tenant_id and d.code = (array['1000', '1500', '6100', '6200'])[line]
    join accounting.account c on c.tenant_id = e.tenant_id and c.code = (array['4000', '4010', '1000', '2300'])[line]
    where e.tenant_id = ${tenant}::uuid`);
  await world.admin.query(sql`
    insert into accounting.balance (tenant_id, account_id, currency, month, closing, debit, credit, base_debit, base_credit)
    select tenant_id, account, 'EUR', date_trunc('month', posting_date)::date, false, sum(d), sum(c), sum(d), sum(c) from (
      select tenant_id, debit_account_id as account, posting_date, base_amount as d, 0 as c from accounting.posting where tenant_id = ${tenant}::uuid
      union all select tenant_id, credit_account_id, posting_date, 0, base_amount from accounting.posting where tenant_id = ${tenant}::uuid) s
    group by 1, 2, 4`);
}
