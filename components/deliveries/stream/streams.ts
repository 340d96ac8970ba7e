import { newsOf } from '@steward/bus';
import type { Log } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { createLoop } from '@steward/work';
import { deliveriesFail } from '../errors.ts';
import { EventStream, type StreamPorts } from './event-stream.ts';

export interface StreamsPorts {
  readonly pool: Pick<SqlPool, 'query'>;
  readonly most: { readonly tenant: number; readonly process: number };
  /** Whether the process was asked to stop. */
  readonly leaving: () => boolean;
  readonly counted: (change: 1 | -1) => void;
  readonly log: Log;
}

/** Open streams of a process: one look at the outbox serves all of them. */
export interface Streams {
  /** @throws Problem `stream_limit` (429) */
  open(tenant: string, ports: Omit<StreamPorts, 'closed'>): EventStream;
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
  const open = new Map<string, Set<EventStream>>();
  let all = 0;
  let known = '0';
  const each = (act: (stream: EventStream) => void, tenant?: string): void => {
    for (const [of, streams] of open) if (tenant === undefined || of === tenant) for (const one of streams) act(one);
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
    open: (tenant, ports) => {
      const own = open.get(tenant) ?? new Set();
      if (own.size >= most.tenant || all >= most.process)
        throw deliveriesFail(
          'stream_limit',
          own.size >= most.tenant
            ? `The organization has ${most.tenant} streams open, the most allowed: close one.`
            : 'The server has as many streams open as it may: try again later.',
          { headers: { 'retry-after': '5' } },
        );
      const stream: EventStream = new EventStream({
        ...ports,
        closed: () => {
          if (!own.delete(stream)) return;
          all -= 1;
          counted(-1);
          if (own.size === 0) open.delete(tenant);
        },
      });
      own.add(stream);
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
