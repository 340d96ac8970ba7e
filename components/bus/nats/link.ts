import type { JetStreamClient, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { isId, type Log } from '@steward/kernel';
import { createLoop, type Worker } from '@steward/work';
import { codeOf } from '../delivery/refusal.ts';
import { usualPrefix, usualStream, type NatsSettings } from './settings.ts';

/** A connection to NATS that is made again for ever. The client is loaded as it starts: most processes have no broker. */
export interface Link extends Worker {
  /** Undefined while the server is away. */
  readonly stream: JetStreamClient | undefined;
  /** How often it was found there. */
  readonly times: number;
  /** How far the stream is; it is made where it is missing. */
  state(): Promise<StreamState>;
}

export interface StreamState {
  /** Of its last message, kept or not: it never counts backwards. */
  readonly sequence: number;
  /** The last of our events that it has, as far as it says; undefined where it has none. */
  readonly last: { readonly tenant: string; readonly event: string } | undefined;
}

/** Within it, NATS knows an event by its id. */
const duplicateWindow = 10 * 60_000;
/** What a stream that is made keeps; the outbox keeps all. */
const retention = 30 * 86_400_000;
const timeout = 5_000;
const retry = { first: 500, longest: 30_000 };

/** @param ready called whenever the server is there again */
export function createLink(settings: NatsSettings, log: Log, ready: () => void): Link {
  let connection: NatsConnection | undefined;
  let stream: JetStreamClient | undefined;
  let up = false;
  let times = 0;

  const found = (): void => {
    times += 1;
    if (!up) log.info({ servers: settings.servers }, 'bus: NATS is there');
    up = true;
    ready();
  };
  const lost = (code: string): void => {
    if (up) log.warn({ servers: settings.servers, code }, 'bus: NATS is away; events wait in the outbox');
    up = false;
  };

  /** Until the connection ends, which the client makes again by itself. */
  const open = async (stopping: AbortSignal): Promise<number> => {
    const [{ jetstream, jetstreamManager }, transport] = await client();
    if (stopping.aborted) return retry.first;
    connection = await transport.connect({
      servers: [...settings.servers],
      name: 'steward-bus',
      timeout,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 1_000,
      reconnectJitter: 500,
      pingInterval: 10_000,
      maxPingOut: 2,
      ...credentials(settings),
    });
    try {
      // A caller that stopped meanwhile had no connection to close yet.
      if (stopping.aborted) return retry.first;
      await ensureStream(await jetstreamManager(connection, { timeout }), settings);
      stream = jetstream(connection, { timeout });
      found();
      for await (const { type } of connection.status()) {
        if (type === 'reconnect') found();
        if (type === 'disconnect' || type === 'staleConnection') lost(type);
      }
      return retry.first;
    } finally {
      stream = undefined;
      await connection.close();
      connection = undefined;
    }
  };
  const failed = (error: unknown, failures: number): void => {
    up = false;
    if (failures > 1) return;
    const advice = 'check BUS_URL, and that the server has JetStream (nats-server -js)';
    log.warn({ servers: settings.servers, code: codeOf(error) }, `bus: NATS cannot be used: ${advice}`);
  };
  const loop = createLoop({ round: open, failed, retry });

  return {
    start: () => loop.start(),
    stop: async () => {
      const ended = loop.stop();
      await connection?.close();
      await ended;
    },
    get stream() {
      return up ? stream : undefined;
    },
    get times() {
      return times;
    },
    state: async () => {
      const [{ jetstreamManager }] = await client();
      if (connection === undefined) throw new Error('NATS is away');
      const prefix = `${settings.prefix ?? usualPrefix}.`;
      const manager = await jetstreamManager(connection, { timeout });
      const { state } = await ensureStream(manager, settings);
      const message = await manager.streams.getMessage(settings.stream ?? usualStream, { last_by_subj: `${prefix}>` });
      const tenant = message?.subject.slice(prefix.length).split('.')[0] ?? '';
      const event = message?.header.get('Nats-Msg-Id') ?? '';
      return { sequence: state.last_seq, last: isId(tenant) && isId(event) ? { tenant, event } : undefined };
    },
  };
}

function credentials({ credentials: given }: NatsSettings): { user?: string; pass?: string; token?: string } {
  if (given === undefined) return {};
  return 'token' in given ? { token: given.token } : { user: given.user, pass: given.password };
}

const client = async () => Promise.all([import('@nats-io/jetstream'), import('@nats-io/transport-node')]);

/** Made where it is missing, and otherwise as its operator wants it. */
async function ensureStream(manager: JetStreamManager, settings: NatsSettings): Promise<StreamInfo> {
  const name = settings.stream ?? usualStream;
  const [{ DiscardPolicy, JetStreamApiCodes, JetStreamApiError, RetentionPolicy, StorageType }, { nanos }] =
    await client();
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === Number(JetStreamApiCodes.StreamNotFound))) throw error;
    return await manager.streams.add({
      name,
      subjects: [`${settings.prefix ?? usualPrefix}.>`],
      description: 'Events of Steward, a subject a tenant; republished from its outbox',
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(retention),
      duplicate_window: nanos(duplicateWindow),
      num_replicas: settings.replicas,
    });
  }
}
