import { newsOf } from '@steward/bus';
import type { Log } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { createLoop } from '@steward/work';
import { deliveriesFail } from '../errors.ts';
import { EventStream, type StreamPorts } from './event-stream.ts';

export interface StreamsPorts {
  readonly pool: Pick<SqlPool, 'query'>;
  readonly most: MostStreams;
  /** Whether the process was asked to stop. */
  readonly leaving: () => boolean;
  readonly counted: (change: 1 | -1) => void;
  readonly log: Log;
}

export interface MostStreams {
  /** At least four, so that nobody's share is all of it. */
  readonly tenant: number;
  readonly process: number;
}

/** Whose stream it is. */
export interface Listener {
  /** A person and the client that they use, or a machine. */
  readonly holder: string;
  /** Somebody listens in person; else an agent does. */
  readonly inPerson: boolean;
}

/** Open streams of a process: one look at the outbox serves all of them. */
export interface Streams {
  /** @throws Problem `stream_limit` (429) */
  open(tenant: string, listener: Listener, ports: Omit<StreamPorts, 'closed'>): EventStream;
  /** What somebody may do in a tenant, or in all of them, has changed. */
  judgeAgain(tenant: string | undefined): void;
  /** Something was announced here. */
  told(): void;
  start(): void;
  stop(): Promise<void>;
}

const every = 100;
const idle = 1_000;

export function createStreams({ pool, most, leaving, counted, log }: StreamsPorts): Streams {
  const open = new Map<string, Map<EventStream, Listener>>();
  let all = 0;
  let known = '0';
  const each = (act: (stream: EventStream) => void, tenant?: string): void => {
    for (const [of, streams] of open)
      if (tenant === undefined || of === tenant) for (const one of streams.keys()) act(one);
  };
  const loop = createLoop({
    round: async () => {
      if (all === 0) return idle;
      if (leaving()) {
        each((one) => one.end());
        return every;
      }
      const now = performance.now();
      each((one) => one.tick(now));
      const { tenants, through } = await newsOf(pool, known, [...open.keys()]);
      known = through;
      for (const tenant of tenants) each((one) => one.told(), tenant);
      return every;
    },
    failed: (err, failures) => {
      if (failures === 1) log.warn({ err }, 'the outbox cannot be read for streams of events');
    },
    retry: { first: 500, longest: 5_000 },
  });
  return {
    open: (tenant, listener, ports) => {
      const own = open.get(tenant) ?? new Map<EventStream, Listener>();
      const refusal = refusalOf([...own.values()], listener, most, most.process - all);
      if (refusal !== undefined) throw deliveriesFail('stream_limit', refusal, { headers: { 'retry-after': '5' } });
      const stream: EventStream = new EventStream({
        ...ports,
        closed: () => {
          if (!own.delete(stream)) return;
          all -= 1;
          counted(-1);
          if (own.size === 0) open.delete(tenant);
        },
      });
      own.set(stream, listener);
      open.set(tenant, own);
      all += 1;
      counted(1);
      loop.wake();
      return stream;
    },
    judgeAgain: (tenant) => each((one) => one.judgeAgain(), tenant),
    told: () => {
      if (all > 0) loop.wake();
    },
    start: () => loop.start(),
    stop: async () => {
      each((one) => one.end());
      await loop.stop();
    },
  };
}

/**
 * Nobody shuts others out: a person, or an agent of theirs, has a quarter of what the tenant may have, and all agents together half. The fewer
 * places the process has left, the fewer a tenant may take: an eighth of them, and four in any case.
 */
function refusalOf(
  open: readonly Listener[],
  { holder, inPerson }: Listener,
  most: MostStreams,
  left: number,
): string | undefined {
  const share = (of: number): number => Math.max(1, Math.floor(most.tenant / of));
  const [each, agents] = [share(4), share(2)];
  if (open.filter((one) => one.holder === holder).length >= each)
    return `You have ${each} streams open with this organization, the most that one person or agent may have: close one.`;
  if (!inPerson && open.filter((one) => !one.inPerson).length >= agents)
    return `Agents and other clients have ${agents} streams open with this organization, the most that they may have together: close one.`;
  if (open.length >= most.tenant)
    return `The organization has ${most.tenant} streams open, the most allowed: close one.`;
  if (left < 1 || open.length >= Math.max(4, Math.floor(left / 8)))
    return 'The server has almost as many streams open as it may, and keeps the rest for other organizations: try again later.';
  return undefined;
}
