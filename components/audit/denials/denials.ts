import { type Clock, type Log, type RecordedEvent, timestamp } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { AppendRow } from '../appending/statement.ts';
import { toolsEvent } from '../grammars/own.ts';

/** A call that was refused to a caller who named a tenant. */
export interface Denial {
  readonly tool: string;
  /** Why, as in the answer to the caller. */
  readonly code: string;
  readonly surface?: string;
}

export interface DenialsOptions {
  readonly append: (context: TenantContext, event: RecordedEvent) => Promise<AppendRow>;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: (outcome: 'recorded' | 'summed' | 'stranger') => void;
}

export interface Denials {
  /**
   * Records the denial in the tenant's chain; to be awaited before the answer leaves. A caller without any access to
   * the tenant is logged and counted instead: nobody writes to a stranger's chain.
   * @throws Problem `unavailable` (503) when it cannot be recorded
   */
  record(context: TenantContext, denial: Denial): Promise<void>;
  /** Writes the sums of windows that are over, or of all. */
  settle(all?: boolean): Promise<void>;
}

interface Window {
  readonly context: TenantContext;
  readonly since: number;
  recorded: number;
  summed: number;
  last: number;
}

const perMinute = 60;
const minute = 60_000;
/** Principals remembered at once; those of the longest ago are summed up early. */
const maxWindows = 10_000;

/** At most 60 events a minute, tenant and principal; the rest is one event when the minute is over. */
export function createDenials({ append, clock, log, count }: DenialsOptions): Denials {
  const windows = new Map<string, Window>();

  const close = async (key: string, window: Window): Promise<void> => {
    windows.delete(key);
    if (window.summed === 0) return;
    await append(
      window.context,
      toolsEvent('tools.calls.denied', {
        count: window.summed,
        since: timestamp(window.since),
        until: timestamp(window.last),
      }),
    );
  };

  return {
    record: async (context, { tool, code, surface }) => {
      const now = clock();
      const key = `${context.tenant} ${context.caller.type} ${context.caller.id}`;
      let window = windows.get(key);
      if (window !== undefined && now - window.since >= minute) {
        await close(key, window);
        window = undefined;
      }
      if (window === undefined) {
        window = { context, since: now, recorded: 0, summed: 0, last: now };
        windows.set(key, window);
      }
      window.last = now;
      if (window.recorded >= perMinute) {
        window.summed += 1;
        count('summed');
        return;
      }
      window.recorded += 1;
      const row = await append(
        context,
        toolsEvent('tools.call.denied', {
          tool: tool.slice(0, 200).toWellFormed(),
          code,
          ...(surface === undefined ? {} : { surface }),
        }),
      );
      if (row.outcome === 'appended') {
        count('recorded');
      } else {
        // No member: its window must never be summed up into a chain.
        windows.delete(key);
        count('stranger');
        log.warn(
          { tenant: context.tenant, principal: context.caller, code, requestId: context.requestId },
          'denied call of a stranger',
        );
      }
    },
    settle: async (all = false) => {
      const now = clock();
      const due = [...windows].filter(
        ([, { since }], index) => all || now - since >= minute || windows.size - index > maxWindows,
      );
      for (const [key, window] of due) {
        await close(key, window).catch((error: unknown) =>
          log.error({ err: error }, 'the sum of denied calls is lost'),
        );
      }
    },
  };
}
