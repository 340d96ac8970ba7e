import type { JetStreamClient, PubAck } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import { sql } from '@steward/sql';
import { advance, type Batch, withBatch } from '../delivery/claim.ts';
import { type Sink } from '../delivery/follower.ts';
import { alarm } from '../delivery/passed-over.ts';
import { cloudEventOf, cloudEventType } from '../envelope/cloud-event.ts';
import type { Deps } from '../deps.ts';
import { eventOf, type OutboxRow } from '../outbox/event.ts';
import type { Link } from './link.ts';
import { usualPrefix, usualStream, type NatsSettings } from './settings.ts';

/** Sent and not yet acknowledged. */
const inFlight = 256;
const acknowledgement = 5_000;

/**
 * The outbox to NATS: a consumer whose handler is the broker. The cursor moves when every event of a batch was
 * acknowledged; until then the batch comes again, and the server knows by its id what it has.
 */
export function forwarder(deps: Deps, link: Link, settings: NatsSettings): Sink {
  const { prefix = usualPrefix, stream = usualStream } = settings;
  let oneByOne = false;
  /** When the server was found, of the last time that the stream was compared with the cursor; undefined: something failed since. */
  let compared: number | undefined;
  /** How far the stream was then, until something is sent. */
  let found: number | undefined;
  /** The stream was further than what we had sent: others write to it too, so its last message says nothing. */
  let shared = false;
  /** How many events the stream lacks that the cursor went over: the server came back without, or the stream is another one. */
  const lost = async ({ tx }: Batch): Promise<number> => {
    const { times } = link;
    const { sequence, last } = await link.state();
    const [row] = await tx.query<{ lost: number }>(sql`
      select bus.compare_stream('nats', ${sequence}, ${last?.tenant ?? null}::uuid, ${last?.event ?? null}::uuid) as lost`);
    compared = times;
    found = sequence;
    return row?.lost ?? 0;
  };
  const send = async (server: JetStreamClient, { tx, rows }: Batch): Promise<void> => {
    const [row] = await tx.query<{ at: bigint | null }>(sql`select bus.stream_at('nats') as at`);
    const at = Number(row?.at ?? 0);
    if (found !== undefined) shared = found > at;
    found = undefined;
    const [together, times] = [!oneByOne, compared];
    // If it fails: one by one is slower, and in order whatever the server has and has not.
    oneByOne = true;
    compared = undefined;
    const { headers } = await import('@nats-io/transport-node');
    const answers = together
      ? await sendTogether(server, rows, { prefix, stream, headers }, shared ? undefined : at)
      : await sendOneByOne(server, rows, { prefix, stream, headers });
    if (answers.some(({ duplicate, seq }) => !duplicate && seq <= at)) throw new Error('the stream is another one');
    const last = answers.reduce((most, { seq }) => Math.max(most, seq), at);
    tx.later(sql`select bus.note_stream('nats', ${last})`);
    oneByOne = false;
    compared = times;
  };
  return {
    name: 'nats',
    types: null,
    ready: () => link.stream !== undefined,
    round: async (_slots, seen) =>
      withBatch(deps.tenancy.pool, { name: 'nats', types: null }, seen, inFlight, async (batch) => {
        const { startAt, generation, rows, through, more, passed } = batch;
        if (passed > 0) alarm(deps, 'nats', passed);
        const server = link.stream;
        const nothing = { generation, position: startAt, written: startAt, events: 0, more: false };
        if (server === undefined) return nothing;
        const again = compared === link.times ? 0 : await lost(batch);
        if (again > 0) {
          deps.log.error(
            { consumer: 'nats', events: again },
            'bus: the stream lacks events that were sent: it lost them, or is another one; they are sent again',
          );
          // The next round begins where the cursor is now.
          return nothing;
        }
        if (rows.length > 0) {
          await send(server, batch);
          deps.metrics.count('nats', 'sent', rows.length);
          advance(batch, 'nats');
        }
        return {
          generation,
          position: through,
          written: rows.length > 0 ? through : startAt,
          events: rows.length,
          more,
        };
      }),
  };
}

interface Target {
  readonly prefix: string;
  readonly stream: string;
  readonly headers: () => MsgHdrs;
}

/**
 * All at once, each refused by the server unless the one before it is the last that it has: what follows a lost message
 * is not stored before it. @param after number in the stream of what comes before the first; undefined: whatever
 * @throws the first failure, once nothing is in flight any more
 */
async function sendTogether(
  server: JetStreamClient,
  rows: readonly OutboxRow[],
  target: Target,
  after: number | undefined,
): Promise<PubAck[]> {
  const answers = await Promise.allSettled(
    rows.map(async (row, index) => {
      const before = rows[index - 1]?.event_id;
      const first = after === undefined ? {} : { lastSequence: after };
      return sendOne(server, row, target, before === undefined ? first : { lastMsgID: before });
    }),
  );
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

async function sendOneByOne(server: JetStreamClient, rows: readonly OutboxRow[], target: Target): Promise<PubAck[]> {
  const answers: PubAck[] = [];
  for (const row of rows) answers.push(await sendOne(server, row, target, {}));
  return answers;
}

async function sendOne(
  server: JetStreamClient,
  row: OutboxRow,
  { prefix, stream, headers }: Target,
  expected: { readonly lastMsgID?: string; readonly lastSequence?: number },
): Promise<PubAck> {
  const event = eventOf(row);
  const about = headers();
  about.set('content-type', cloudEventType);
  return server.publish(`${prefix}.${event.tenant}.${event.type}`, JSON.stringify(cloudEventOf(event)), {
    msgID: event.id,
    headers: about,
    timeout: acknowledgement,
    retries: 0,
    expect: { streamName: stream, ...expected },
  });
}
