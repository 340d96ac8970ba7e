import { execFile } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifyLog, verifyOffline } from '@steward/verification';
import { sql } from '@steward/sql';
import { load } from './audit/load.ts';
import { sampleEvent } from './audit/event.ts';
import { createWorld, type World } from './archive/world.ts';
import { childrenOf, cpuOf, postmasterOf } from './processor.ts';
import { type Bench, interleave, median, type Row, sized } from './report.ts';

/** `npm run bench archive 20000` is quicker and says less. */
const events = Number(process.argv.find((word) => /^\d{4,7}$/.test(word)) ?? sized(200_000, 2_000));
const rounds = sized(5);
const callers = 32;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};

const bench: Bench = {
  name: `Archive: sealing and verification, ${events} events a day`,
  run: async () => {
    const rows: Row[] = [];
    {
      await using world = await createWorld();
      rows.push(...(await verification(world)));
    }
    {
      await using world = await createWorld();
      rows.push(await appending(world));
    }
    await using world = await createWorld();
    return [...rows, await manyTenants(world)];
  },
};
export default bench;

async function verification(world: World): Promise<Row[]> {
  const { ownerUrl, archive } = world;
  const tenants = [await world.past(3, events), await world.past(3, events)];
  const texts = await world.admin.query<{ event: string }>(
    sql`select event from audit.event where tenant_id = ${tenants[0]}`,
  );
  const bytes = texts.map(({ event }) => Buffer.from(event));
  const bare = async (): Promise<number> =>
    seconds(async () => {
      for (const one of bytes) hash('sha256', one);
    });
  const source = async (canonical: boolean, workers: number): Promise<number> =>
    seconds(async () => mustHold(await verifyLog({ ownerUrl, archive, canonical, workers, freshWithinDays: 9 })));
  // What no verifier is spared: the event, the row, its leaf and on average one node of the tree, and the file.
  const [row, leaf, node] = [Buffer.alloc(93), Buffer.alloc(33), Buffer.alloc(65)];
  const hashes = async (): Promise<number> =>
    seconds(async () => {
      const file = createHash('sha256');
      for (const one of bytes) {
        for (const part of [one, row, leaf, node]) hash('sha256', part, 'binary');
        file.update(one);
      }
    });
  // What PostgreSQL needs to bring the rows, which come in order, without anybody who takes them.
  const copied = async (): Promise<number> =>
    seconds(async () =>
      world.admin.query(
        sql`copy (select tenant_id, sequence, received_at, event_hash, row_hash, id, type, grammar, occurred_at, causal_id,
          correlation_id, principals, event from audit.event order by tenant_id, sequence) to '/dev/null' (format binary)`,
      ),
    );
  await bare();
  const postgres = await postmasterOf(world.admin);
  const worked = new Map<string, number[]>();
  const spent = async (): Promise<number> => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000 + (await cpuOf(await childrenOf(postgres)));
  };
  /** The same, and what of the processor it takes: of this process with its threads, and of the database. */
  const counted = (name: string, work: () => Promise<number>) => async (): Promise<number> => {
    const began = await spent();
    const taken = await work();
    worked.set(name, [...(worked.get(name) ?? []), (await spent()) - began]);
    return taken;
  };
  const before = await interleave(rounds, {
    bare: counted('bare', bare),
    copied,
    one: counted('one', async () => source(false, 1)),
    canonical: counted('canonical', async () => source(true, 1)),
    two: async () => source(false, 2),
    canonicalTwo: async () => source(true, 2),
  });
  const { audit, sealer } = world.log();
  await audit.start();
  await sealer.start();
  const through = await world.day(3);
  const sealed = [];
  for (const tenant of tenants) sealed.push(await seconds(async () => sealer.seal({ through, tenant })));
  await sealer.seal({ through: await world.day(1) });
  const keys = (await sealer.keys.registered()).map(({ verifierKey }) => verifierKey);
  const offline = async (workers: number): Promise<number> =>
    seconds(async () => mustHold(await verifyOffline(archive, { keys, workers, freshWithinDays: 9 })));
  const after = await interleave(rounds, {
    bare,
    hashes,
    one: counted('offline', async () => offline(1)),
    two: async () => offline(2),
    compared: async () => source(false, 1),
  });
  // Two tenants were verified, one was hashed.
  const ratio = (name: string, of: number, part: number, atLeast?: number): Row => ({
    name: `${name}, of bare SHA-256`,
    ratio: (2 * of) / part,
    ...(atLeast === undefined ? {} : { bar: { atLeast } }),
    detail: `${((2 * events) / part / 1000).toFixed(0)} k/s against ${(events / of / 1000).toFixed(0)} k/s`,
  });
  const ofProcessor = (name: string, part: string, atLeast: number): Row => {
    const [bareWork, work] = [median(worked.get('bare') ?? []), median(worked.get(part) ?? [])];
    return {
      name: `${name}: time of the processor, bare SHA-256's of it`,
      ratio: (2 * bareWork) / work,
      bar: { atLeast },
      detail: `${((1_000 * bareWork) / events).toFixed(1)} against ${((1_000 * work) / (2 * events)).toFixed(1)} µs a row`,
    };
  };
  return [
    {
      name: 'from PostgreSQL, the copies compared, of its own COPY of the rows to nowhere',
      ratio: before.copied / before.one,
      detail: `${((2 * events) / before.one / 1000).toFixed(0)} k/s against ${((2 * events) / before.copied / 1000).toFixed(0)} k/s`,
    },
    {
      name: 'the hashes alone of which a verdict is made, of bare SHA-256',
      ratio: after.bare / after.hashes,
      detail: 'the most that a verifier could reach',
    },
    // Of 5 µs of a row, hashing is 1.1, its fields against its text 1.5, PostgreSQL's messages and their buffers 1. Not 0.18, which
    // was hoped for: no check can go.
    ratio('from PostgreSQL, the copies compared', before.bare, before.one, 0.13),
    ratio('from PostgreSQL, canonicalized again', before.bare, before.canonical, 0.07),
    // PostgreSQL, which takes half as long as one thread to send and to sort, works on the same two cores.
    ratio('from PostgreSQL, the copies compared, two threads', before.bare, before.two, 0.15),
    ratio('from PostgreSQL, canonicalized again, two threads', before.bare, before.canonicalTwo, 0.112),
    // Five hashes a row are 2.3 µs of 4.3, so that 0.25 would leave 0.7 µs to read a line, its number, time and tenant.
    ratio('the archive offline, the Merkle root too', after.bare, after.one, 0.16),
    ratio('the archive offline, two threads', after.bare, after.two, 0.256),
    // A machine that is full of other work makes one hash no slower, and all that waits for two processes: this says what is done, there too.
    ofProcessor('from PostgreSQL, the copies compared', 'one', 0.15),
    ofProcessor('from PostgreSQL, canonicalized again', 'canonical', 0.08),
    ofProcessor('the archive offline', 'offline', 0.2),
    ratio('source and archive, each and against one another', after.bare, after.compared),
    {
      name: 'a day sealed, written, read back and compared: seconds',
      ratio: Math.min(...sealed),
      bar: { atMost: 5 },
      detail: sealed.map((one) => `${one.toFixed(2)} s`).join(', '),
    },
    await memory(world, tenants[0] ?? ''),
  ];
}

function mustHold({ ok, findings }: { readonly ok: boolean; readonly findings: readonly unknown[] }): void {
  if (!ok) throw new Error(`the log is sound, and yet: ${JSON.stringify(findings[0])}`);
}

const program = fileURLToPath(new URL('./archive/memory.ts', import.meta.url));

/** Source, archive and both compared, a tenth of the events against all of them. */
async function memory(world: World, large: string): Promise<Row> {
  const small = await world.past(3, events / 10);
  const most = async (tenant: string): Promise<number> => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      program,
      world.ownerUrl,
      world.archive.address,
      tenant,
    ]);
    return Number(stdout) / 1024;
  };
  const used = await interleave(3, { small: async () => most(small), large: async () => most(large) });
  return {
    name: `memory for ${events} events, of that for ${events / 10}`,
    ratio: used.large / used.small,
    bar: { atMost: 1.3 },
    detail: `${used.large.toFixed(0)} MB against ${used.small.toFixed(0)} MB`,
  };
}

/** Rounds without, with, and again without a sealer in the same process, which has more to seal than time. */
async function appending(world: World): Promise<Row> {
  await world.past(2, events);
  const { audit, sealer } = world.log({ seal: { graceMinutes: 0 } });
  const context = await world.appender(audit);
  // Over two of its turns, since it works in bursts and rests nineteen times as long.
  const measure = async (): Promise<number> =>
    (await load(callers, sized(8_000, 200), async () => audit.ingest(context, sampleEvent(), 'snake'))).rate;
  await measure();
  const before = await measure();
  await audit.start();
  await sealer.start();
  const beside = await measure();
  const done = await world.admin.query(sql`select from audit.platform_day where day = ${await world.day(1)}`);
  await sealer.seal({ through: await world.day(1) });
  const without = (before + (await measure())) / 2;
  return {
    name: `appending beside the sealer, of appending alone, ${callers} callers`,
    ratio: beside / without,
    bar: { atLeast: 0.9 },
    detail: `${beside.toFixed(0)}/s against ${without.toFixed(0)}/s; sealing ${done.length === 0 ? 'went on all the while' : 'was done before the end'}`,
  };
}

async function manyTenants(world: World): Promise<Row> {
  const tenants = events / 20;
  await world.pasts(3, tenants);
  const { audit, sealer } = world.log();
  await audit.start();
  await sealer.start();
  await sealer.seal({ through: await world.day(3) });
  const taken = await seconds(async () => sealer.seal({ through: await world.day(2) }));
  return {
    name: `${tenants} tenants with an empty day each: seconds`,
    ratio: taken,
    bar: { atMost: 60 },
    detail: `${(tenants / taken).toFixed(0)} days/s`,
  };
}
