import { createProcessWorld, type Json, type ProcessWorld } from '@steward/conformance/world';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { postByHand } from './ledger/by-hand.ts';
import { childrenOf, cpuOf, postmasterOf } from './processor.ts';
import { type Bench, median, type Row, sized } from './report.ts';

const rounds = sized(5);
const tenants = sized(20, 2);
const callers = 32;
const entries = sized(320, 32);
const day = '2026-03-15';

/** A contestant's round: entries a second, and milliseconds of the processor an entry took of everything but whoever asked. */
interface Round {
  readonly rate: number;
  readonly cpu: number;
}

/**
 * The same four-legged entry by many tenants and callers at once, through the doors of the whole server and in a transaction by hand.
 * The rate is what callers meet; time of the processor says what it is made of, and a busy machine makes it no longer.
 *
 * By hand an entry takes 15 round trips. Under a rule it takes 7 and runs the tool once; what it costs beyond is the rows of all 24 nouns read for what
 * it may be about (1.4 ms), the entry and its balances read for the answer (0.8 ms), the action with its preview, facts and digests, and four
 * events where by hand there is one.
 */
export default {
  name: 'The books through the doors: 20 tenants, 32 callers',
  run: async () => {
    await using world = await createProcessWorld();
    await using admin = openPool({ url: world.db.adminUrl, size: 24, statementMilliseconds: 120_000 });
    const books = await Array.fromAsync({ length: tenants }, async (_none, at) => openBooks(world, admin, at));
    const of = (index: number): Books => books[index % tenants] as Books;
    const contestants = {
      hand: async (index: number) => postByHand(admin, of(index).tenant, of(index).accounts, day),
      person: async (index: number) => byGraph(world, of(index)),
      rule: async (index: number) => byRule(world, of(index)),
    };
    const postgres = await postmasterOf(admin);
    const measured = { hand: [] as Round[], person: [] as Round[], rule: [] as Round[] };
    const names = Object.keys(contestants) as (keyof typeof contestants)[];
    for (let round = -1; round < rounds; round += 1)
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const own = (): number =>
          name === 'hand' ? process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 : 0;
        const spent = async (): Promise<number> =>
          own() + (await cpuOf([world.server.child.pid ?? 0])) + (await cpuOf(await childrenOf(postgres)));
        const [began, before] = [performance.now(), await spent()];
        await together(contestants[name]);
        const seconds = (performance.now() - began) / 1000;
        if (round >= 0) measured[name].push({ rate: entries / seconds, cpu: ((await spent()) - before) / entries });
      }
    const rows = (name: 'person' | 'rule', what: string, bar: number, ofProcessor: number): Row[] => {
      const ratio = (pick: (hand: Round, other: Round) => number): number =>
        median(measured[name].map((one, at) => pick(measured.hand[at] as Round, one)));
      const middle = (of: keyof Round, who: 'hand' | 'person' | 'rule'): number =>
        median(measured[who].map((one) => one[of]));
      return [
        {
          name: `${what}, entries a second against by hand`,
          ratio: ratio((hand, other) => other.rate / hand.rate),
          bar: { atLeast: bar },
          detail: `${Math.round(middle('rate', name))} against ${Math.round(middle('rate', 'hand'))} entries a second`,
        },
        {
          name: `${what}, time of the processor by hand against it`,
          ratio: ratio((hand, other) => hand.cpu / other.cpu),
          bar: { atLeast: ofProcessor },
          detail: `${middle('cpu', 'hand').toFixed(1)} against ${middle('cpu', name).toFixed(1)} ms an entry, server and database`,
        },
      ];
    };
    return [
      ...rows('person', 'a person by GraphQL', 0.5, 0.6),
      ...rows('rule', 'an agent under a standing rule', 0.3, 0.33),
    ];
  },
} satisfies Bench;

async function together(one: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < entries) await one(next++);
    }),
  );
}

interface Books {
  readonly tenant: string;
  readonly token: string;
  readonly agent: string;
  readonly accounts: readonly string[];
}

/** A tenant of its own, with a rule that lets its agent post. */
async function openBooks(world: ProcessWorld, admin: SqlPool, at: number): Promise<Books> {
  const user = `books-${at}@example.com`;
  const { tenant } = await world.signUp(user, `Books ${at}`, { defaultCurrency: 'EUR' });
  const approver = await world.token({ user, approver: true });
  const agent = await world.token({ user, agent: 'bookkeeper' });
  const rule = await world.call(`${world.server.addresses.portal}/api/standing-rules`, {
    token: approver,
    tenant,
    body: {
      tool: 'service_post_journal_entry',
      upTo: { amount: '1000.00', currency: 'EUR' },
      validUntil: new Date(Date.now() + 86_400_000).toISOString(),
    },
  });
  if (rule.status !== 201) throw new Error(`rule: ${rule.status} ${JSON.stringify(rule.body)}`);
  const rows = await admin.query<{ account_id: string }>(sql`
    select account_id from accounting.account where tenant_id = ${tenant}::uuid and code in ('1000', '4000', '4010', '4900') order by code`);
  return { tenant, token: approver, agent, accounts: rows.map(({ account_id }) => account_id) };
}

const entry = {
  date: day,
  currency: 'EUR',
  narration: 'Sale',
  lines: [
    { account: '1000', debit: '30.00' },
    ...['4000', '4010', '4900'].map((account) => ({ account, credit: '10.00' })),
  ],
};

async function byGraph(world: ProcessWorld, { tenant, token }: Books): Promise<void> {
  const { body } = await world.call(`${world.server.addresses.accounting}/graphql`, {
    token,
    tenant,
    body: {
      query: 'mutation ($input: JournalEntryInput!) { postJournalEntry(input: $input) { id } }',
      variables: { input: entry },
    },
  });
  if (body['errors'] !== undefined) throw new Error(JSON.stringify(body));
}

async function byRule(world: ProcessWorld, { tenant, agent }: Books): Promise<void> {
  const { body } = await world.call(`${world.server.addresses.mcp}/p/accounting`, {
    token: agent,
    tenant,
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'service_post_journal_entry', arguments: entry },
    },
  });
  const answer = body['result']?.['structuredContent'] as Json | undefined;
  if (String(answer?.['status']) !== 'ok') throw new Error(JSON.stringify(body));
}
