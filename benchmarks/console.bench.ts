import { createProcessWorld, createVisitor } from '@steward/conformance/world';
import { openSeeded } from '@steward/console-app/fixtures';
import { replaceLog } from './console/log.ts';
import { arrivals, changes, type Changes, firstVisit, scroll, type Verified, verify } from './console/pages.ts';
import { type Bench, interleave, median, type Row, sized } from './report.ts';

const rounds = sized(9);
const asks = sized(150, 3);
const visits = sized(7);
const events = sized(100_000, 1_000);
const verified = sized(10_000, 100);
const owner = 'owner@example.com';

export default {
  name: 'The console: what its backend costs a request, and what a page takes in a browser',
  run: async () => {
    const served = await backend();
    if ((process.env['CHROMIUM_PATH'] ?? '') !== '') return [...served, ...(await pages())];
    console.log('  No browser was measured: set CHROMIUM_PATH to a Chromium.');
    return served;
  },
} satisfies Bench;

/** The same request, of a page by its cookie and of a program by its token, one after the other. */
async function backend(): Promise<Row[]> {
  await using world = await createProcessWorld();
  const { portal } = world.server.addresses;
  const { tenant } = await world.signUp(owner);
  const visitor = createVisitor(new URL(portal).origin);
  await visitor.signIn(owner);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const token = await world.token({ user: owner });
  const byCookie = `${new URL(portal).origin}/console/api/o/${tenant}/portal/api/members`;
  const byToken = `${portal}/api/members`;
  const measured = await interleave(rounds, {
    page: async () => repeat(byCookie, { cookie, 'sec-fetch-site': 'same-origin' }),
    program: async () => repeat(byToken, { authorization: `Bearer ${token}`, 'x-tenant-id': tenant }),
  });
  return [
    {
      name: 'a read of the API by a page, against the same by a token',
      ratio: measured.page / measured.program,
      bar: { atMost: 2 },
      detail: `${measured.page.toFixed(2)} and ${measured.program.toFixed(2)} ms`,
    },
  ];
}

async function repeat(url: string, headers: Record<string, string>): Promise<number> {
  const from = performance.now();
  for (let turn = 0; turn < asks; turn += 1) {
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  return (performance.now() - from) / asks;
}

/** Ratios are to the budgets of the console. */
async function pages(): Promise<Row[]> {
  await using seeded = await openSeeded();
  await using long = await openSeeded({ orders: 2, products: 2, variables: { AUDIT_SEAL: 'off' } });
  await replaceLog(long, events);
  const machine: number[] = [];
  const network: number[] = [];
  const changed: Changes[] = [];
  for (let turn = 0; turn < visits; turn += 1) {
    machine.push(await firstVisit(seeded, 'slow machine'));
    network.push(await firstVisit(seeded, 'slow network'));
    changed.push(await changes(seeded));
  }
  const arrived = await arrivals(seeded, visits);
  const scrolled = await scroll(long, visits);
  const judged: Verified[] = [];
  for (let turn = 0; turn < visits; turn += 1) judged.push(await verify(long, verified));
  const row = (name: string, value: number, budget: number, unit = 'ms'): Row => ({
    name,
    ratio: value / budget,
    bar: { atMost: 1 },
    detail: `${value.toFixed(0)} ${unit}, of ${budget}`,
  });
  const of = <T>(all: readonly T[], pick: (one: T) => readonly number[]): number[] => all.flatMap(pick);
  return [
    row('largest contentful paint of Home at 4× slow-down', median(machine), 1_000),
    row('the same at 1.6 Mbit/s and 150 ms', median(network), 2_500),
    row('to a page that was seen before, p95', p95(of(changed, ({ cached }) => cached)), 100),
    row('to a page for the first time, with what it reads, p95', p95(of(changed, ({ fetched }) => fetched)), 300),
    row('from a proposal until it stands on a Home that is open, p95', p95(arrived), 1_000),
    row(`rows in the document, of a log of ${events}`, scrolled.rows, 60, 'rows'),
    row('longest task while it is scrolled', scrolled.longest, 50),
    row('from a key until it is painted there, p95', p95(scrolled.keys), 100),
    row('heap after it', scrolled.heap, 60, 'MB'),
    row('a proof is verified', median(judged.map(({ proof }) => proof)), 50),
    row(`${verified} rows are verified`, median(judged.map(({ rows }) => rows)), 2_000),
  ];
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;
