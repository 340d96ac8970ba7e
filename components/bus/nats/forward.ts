import { headers } from '@nats-io/transport-node';
import type { JetStreamClient } from '@nats-io/jetstream';
import { sql } from '@steward/sql';
import { advance, type Portion, withPortion } from '../delivery/claim.ts';
import { type Carrier } from '../delivery/loop.ts';
import { alarm } from '../delivery/passed-over.ts';
import { cloudEventOf, cloudEventType } from '../envelope/cloud-event.ts';
import type { Ground } from '../ground.ts';
import { eventOf, type OutboxRow } from '../outbox/event.ts';
import type { Link } from './link.ts';
import { usualPrefix, usualStream, type NatsSettings } from './settings.ts';

/** Sent and not yet acknowledged. */
const inFlight = 256;
const acknowledgement = 5_000;

/**
 * The outbox to NATS: a consumer whose handler is the broker. The cursor moves when every event of a portion was
 * acknowledged; until then the portion comes again, and the server knows by its id what it has.
 */
export function forwarder(ground: Ground, link: Link, settings: NatsSettings): Carrier {
  const { prefix = usualPrefix, stream = usualStream } = settings;
  let oneByOne = false;
  let compared = 0;
  /** A server that was away may have come back without what it had acknowledged last. */
  const lost = async ({ tx }: Portion): Promise<number> => {
    const { times } = link;
    if (times === compared) return 0;
    const last = await link.last();
    const [row] =
      last === undefined
        ? []
        : await tx.query<{ lost: number }>(
            sql`select bus.send_after('nats', ${last.tenant}::uuid, ${last.event}::uuid) as lost`,
          );
    compared = times;
    return row?.lost ?? 0;
  };
  return {
    name: 'nats',
    types: null,
    ready: () => link.stream !== undefined,
    round: async (_lanes, seen) =>
      withPortion(ground.tenancy.pool, { name: 'nats', types: null }, seen, inFlight, async (portion) => {
        const { startAt, generation, rows, through, more, passed } = portion;
        if (passed > 0) alarm(ground, 'nats', passed);
        const server = link.stream;
        const nothing = { generation, position: startAt, written: startAt, events: 0, more: false };
        if (server === undefined) return nothing;
        const again = await lost(portion);
        if (again > 0) alarm(ground, 'nats', again);
        // The next round begins where the cursor is now.
        if (again > 0) return nothing;
        const send = oneByOne ? sendOneByOne : sendTogether;
        // If it fails: one by one is slower, and in order whatever the server has and has not.
        oneByOne = true;
        await send(server, rows, { prefix, stream });
        oneByOne = false;
        ground.metrics.count('nats', 'sent', rows.length);
        if (rows.length > 0) advance(portion, 'nats');
        const written = rows.length > 0 ? through : startAt;
        return { generation, position: through, written, events: rows.length, more };
      }),
  };
}

interface Target {
  readonly prefix: string;
  readonly stream: string;
}

/**
 * All at once, each refused by the server unless the one before it is the last that it has: what follows a lost message
 * is not stored before it. @throws the first failure, once nothing is in flight any more
 */
async function sendTogether(server: JetStreamClient, rows: readonly OutboxRow[], target: Target): Promise<void> {
  const answers = await Promise.allSettled(
    rows.map(async (row, index) => sendOne(server, row, target, rows[index - 1]?.event_id)),
  );
  const failed = answers.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function sendOneByOne(server: JetStreamClient, rows: readonly OutboxRow[], target: Target): Promise<void> {
  for (const row of rows) await sendOne(server, row, target, undefined);
}

async function sendOne(
  server: JetStreamClient,
  row: OutboxRow,
  { prefix, stream }: Target,
  after: string | undefined,
): Promise<void> {
  const event = eventOf(row);
  const about = headers();
  about.set('content-type', cloudEventType);
  await server.publish(`${prefix}.${event.tenant}.${event.type}`, JSON.stringify(cloudEventOf(event)), {
    msgID: event.id,
    headers: about,
    timeout: acknowledgement,
    retries: 0,
    expect: { streamName: stream, ...(after === undefined ? {} : { lastMsgID: after }) },
  });
}
