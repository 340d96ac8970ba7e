import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { backdate, daysAgo, surroundings, type Answer, type Json } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';
import type { Bed } from './bed.ts';
import { until } from './processes.ts';

const command = fileURLToPath(new URL('../../apps/cli/steward.ts', import.meta.url));

/** What callers were told while something happened. */
export interface Told {
  /** Events by their keys, as they were acknowledged. */
  readonly events: ReadonlyMap<string, { readonly id: string; readonly sequence: number; readonly rowHash: string }>;
  /** Submissions by what they say: their id where one was acknowledged, undefined where nobody knows. */
  readonly submissions: ReadonlyMap<number, string | undefined>;
  /** Answers other than yes, by status and code, and how many: 0 where the connection ended. */
  readonly refusals: ReadonlyMap<string, number>;
}

export interface Load {
  /** Resolves once something was acknowledged that was asked for from now on, by each kind of caller. */
  progress(): Promise<void>;
  stop(): Promise<Told>;
}

export interface Shop {
  readonly tenant: string;
  readonly token: string;
  readonly formId: string;
  readonly key: string;
  /** Callers that write without end: events come again under their key until acknowledged, a submission is made once. */
  load(): Load;
  /** That all of this is stored, delivered and verified, and nothing twice. */
  holds(told: Told): Promise<void>;
}

/** A tenant with a form. */
export async function openShop({ world, brokers, url }: Bed): Promise<Shop> {
  const { tenant, token } = await world.signUp('alice@example.com');
  const studio = async (path: string, body: unknown): Promise<Json> => {
    const answer = await world.call(`${world.server.addresses.studio}/api${path}`, { token, tenant, body });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const siteId = String((await studio('/sites', { name: 'Fjord Bikes', origins: [] }))['id']);
  const key = String((await studio(`/sites/${siteId}/keys`, { mode: 'live' }))['key']);
  const fields = [
    { name: 'email', label: 'E-mail', type: 'email', required: true, mapsTo: 'email' },
    { name: 'number', label: 'Number', type: 'number' },
  ];
  const form = { siteId, name: 'Contact', fields, targetEntityType: 'crm_contact' };
  const formId = String((await studio('/forms', form))['id']);
  await studio(`/forms/${formId}/publish`, {});
  const steward = async (...args: readonly string[]): Promise<string> => {
    const child = spawn(process.execPath, [command, 'audit', ...args], {
      env: {
        ...surroundings,
        DATA_DIR: world.dataDir,
        DATABASE_URL: url('direct', world.db.appUrl),
        DATABASE_OWNER_URL: url('direct', world.db.ownerUrl),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const out = Array.fromAsync(child.stdout);
    await once(child, 'close');
    return Buffer.concat(await out).toString();
  };
  {
    // A sealed day, which must be found as it was whoever leads.
    await using admin = openPool({ url: url('direct', world.db.adminUrl), size: 1 });
    await backdate(admin, 2);
    await steward('seal', '--day', await daysAgo(admin, 1));
  }
  let numbers = 0;

  const ingest = async (name: string): Promise<Answer> =>
    world.call(`${world.server.addresses.accounting}/api/audit/events`, {
      token,
      tenant,
      body: {
        type: 'commerce.order.imported',
        event_version: '1.0.0',
        grammar: 'commerce',
        source: 'test',
        payload: { order_id: name },
        principal_chain: [{ principal_type: 'service', principal_id: 'shop' }],
        occurred_at: '2026-01-01T00:00:00Z',
        idempotency_key: name,
      },
    });
  const submit = async (number: number): Promise<Answer> =>
    world.call(`${world.server.addresses.storefront}/forms/${formId}/submit`, {
      headers: { 'x-service-sdk-key': key },
      body: { data: { email: `visitor${number}@example.net`, number } },
    });

  const load = (): Load => {
    const ending = new AbortController();
    const events = new Map<string, { id: string; sequence: number; rowHash: string }>();
    const submissions = new Map<number, string | undefined>();
    const refusals = new Map<string, number>();
    const refused = (kind: string, answer: Answer | undefined): void => {
      const why = `${kind} ${answer?.status ?? 0} ${String(answer?.body['code'] ?? '')}`;
      refusals.set(why, (refusals.get(why) ?? 0) + 1);
    };
    const asked = async (call: Promise<Answer>): Promise<Answer | undefined> => call.catch(() => undefined);
    const importer = async (): Promise<void> => {
      while (!ending.signal.aborted) {
        const name = `order-number-${(numbers += 1)}`;
        // Not even the end keeps it from asking until it is told: what it was not told is not compared.
        for (let last = false; !last; last = ending.signal.aborted) {
          const answer = await asked(ingest(name));
          if (answer?.status === 201 || answer?.status === 200) {
            const { id, sequence, row_hash: rowHash } = answer.body;
            events.set(name, { id: String(id), sequence: Number(sequence), rowHash: String(rowHash) });
            break;
          }
          refused('event', answer);
          await sleep(50);
        }
        await sleep(20);
      }
    };
    const visitor = async (): Promise<void> => {
      while (!ending.signal.aborted) {
        const number = (numbers += 1);
        const answer = await asked(submit(number));
        if (answer?.status === 201) {
          submissions.set(number, String(answer.body['submissionId']));
        } else {
          refused('submission', answer);
          // What the balancer passed on and heard nothing more of may be stored as well.
          const code = String(answer?.body['code']);
          if (answer?.status !== 503 || code === 'outcome_unknown') submissions.set(number, undefined);
        }
        await sleep(20);
      }
    };
    const callers = [...Array.from({ length: 3 }, importer), ...Array.from({ length: 3 }, visitor)];
    const acknowledged = (): number => [...submissions.values()].filter((id) => id !== undefined).length;
    return {
      progress: async () => {
        // What was under way may be answered yet: twice as many as there are callers.
        const [event, submission] = [events.size + 6, acknowledged() + 6];
        await until('callers get on', async () => events.size >= event && acknowledged() >= submission).catch(
          (error: Error) => {
            throw new Error(`${error.message}: ${JSON.stringify([...refusals])}`);
          },
        );
      },
      stop: async () => {
        ending.abort();
        await Promise.all(callers);
        return { events, submissions, refusals };
      },
    };
  };

  const holds = async (told: Told): Promise<void> => {
    await using admin = openPool({ url: url('direct', world.db.adminUrl), size: 1 });
    const stored = await admin.query<{ key: string; id: string; sequence: bigint; row_hash: Buffer }>(sql`
      select event::json ->> 'idempotencyKey' as key, id, sequence, row_hash from audit.event
      where tenant_id = ${tenant} and type = 'commerce.order.imported'`);
    const byKey = Map.groupBy(stored, (row) => row.key);
    for (const [name, { id, sequence, rowHash }] of told.events)
      assert.deepEqual(
        byKey.get(name)?.map((row) => [row.id, Number(row.sequence), row.row_hash.toString('hex')]),
        [[id, sequence, rowHash]],
        name,
      );
    const submitted = await admin.query<{ id: string; number: number }>(sql`
      select submission_id as id, (data::json ->> 'number')::int as number from commerce.submission where tenant_id = ${tenant}`);
    const byNumber = Map.groupBy(submitted, ({ number }) => number);
    for (const [number, id] of told.submissions) {
      const ids = byNumber.get(number)?.map((row) => row.id) ?? [];
      if (id === undefined) assert.ok(ids.length <= 1, `${number} is stored ${ids.length} times`);
      else assert.deepEqual(ids, [id], `submission ${number}`);
    }
    const outbox = await admin.query<{ id: string }>(sql`select event_id as id from bus.outbox order by position`);
    await until('the studio has been told of every submission', async () => {
      const [row] = await admin.query<{ n: number }>(
        sql`select count(*)::int as n from studio.submission where tenant_id = ${tenant}`,
      );
      return row?.n === submitted.length;
    });
    const sent = await until('NATS has every event', async () => {
      const ids = await brokers.ids('STEWARD_EVENTS');
      return outbox.every(({ id }) => ids.includes(id)) ? ids : undefined;
    });
    assert.equal(new Set(sent).size, sent.length, 'an event is in NATS twice');
    const places = new Map(sent.map((id, place) => [id, place]));
    const order = outbox.map(({ id }) => places.get(id) ?? -1);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      'events are in NATS in another order',
    );
    const states = await admin.query(
      sql`select name, parked, dead_letters, passed_over::int from bus.state() where parked + dead_letters + passed_over > 0`,
    );
    assert.deepEqual(states, []);
    const verdict = JSON.parse(await steward('verify', '--json')) as Json;
    assert.equal(verdict['ok'], true, JSON.stringify(verdict));
    assert.ok(Number(verdict['comparedDays']) > 0, JSON.stringify(verdict));
  };

  return { tenant, token, formId, key, load, holds };
}
