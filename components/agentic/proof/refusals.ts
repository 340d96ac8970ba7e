import { Counter, type Log, type Metrics } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { createFlusher, type Worker } from '@steward/work';
import type { OpenDoor } from '../doors/find.ts';
import { event } from '../events.ts';
import { admitAgents } from '../permissions.ts';

export interface Refused {
  readonly profileUrl: string | null;
  readonly keyId: string | null;
  /** The code of the refusal. */
  readonly verdict: string;
}

type Door = Pick<OpenDoor, 'tenant' | 'brandId' | 'protocol'>;

/** Events of refusals in a minute of one door; what comes beyond is counted, and told with the last of them when the minute is over. */
const mostOfMinute = 20;
const minute = 60_000;
const mostDoors = 10_000;

interface Tally {
  until: number;
  recorded: number;
  omitted: number;
  /** The last that was not recorded. */
  last: (Refused & { readonly door: Door }) | undefined;
}

export interface RefusalsPorts {
  readonly contextOf: (tenant: string) => TenantContext;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly log: Log;
}

export interface Refusals extends Worker {
  /** Records a refusal in the audit log, unless a flood of them is there already. Never throws: what refuses has answered by then. */
  note(door: Door, refused: Refused): Promise<void>;
}

/** Anybody can be refused as often as they like, so a flood of refusals costs twenty events a minute. */
export function createRefusals({ contextOf, metrics, log }: RefusalsPorts): Refusals {
  const tallies = new Map<string, Tally>();
  const counter = new Counter<'protocol' | 'code'>({
    name: 'steward_agents_refused_total',
    help: 'Requests of agents of buyers that were not admitted, by protocol and code.',
    labelNames: ['protocol', 'code'],
    registers: [metrics.registry],
  });
  const tallyOf = ({ brandId, protocol }: Door): Tally => {
    const name = `${protocol} ${brandId}`;
    const now = performance.now();
    let tally = tallies.get(name);
    if (tally === undefined) {
      if (tallies.size >= mostDoors) tallies.clear();
      tallies.set(name, (tally = { until: now + minute, recorded: 0, omitted: 0, last: undefined }));
    }
    if (tally.until <= now) Object.assign(tally, { until: now + minute, recorded: 0 });
    return tally;
  };
  const record = async (
    { tenant, brandId, protocol }: Door,
    { profileUrl, keyId, verdict }: Refused,
    omitted: number,
  ): Promise<void> => {
    try {
      await contextOf(tenant)
        .require(admitAgents)
        .write(async (tx) => {
          tx.record(
            event('agentic.request.refused', {
              brand_id: brandId,
              protocol,
              profile_url: profileUrl,
              key_id: keyId,
              verdict,
              omitted,
            }),
          );
        });
    } catch (error) {
      log.warn({ err: error, tenant }, 'the refusal of an agent was not recorded');
    }
  };
  /** Of minutes that are over, or of all. */
  const tellOmitted = async (all: boolean): Promise<void> => {
    const now = performance.now();
    for (const [name, tally] of tallies) {
      const { last, omitted } = tally;
      if (!all && tally.until > now) continue;
      if (last === undefined) tallies.delete(name);
      else {
        Object.assign(tally, { omitted: 0, last: undefined });
        await record(last.door, last, omitted - 1);
      }
    }
  };
  let stopping = false;
  const flusher = createFlusher({
    every: minute,
    flush: async () => tellOmitted(stopping),
    failed: (error) => log.warn({ err: error }, 'refusals of agents were not counted in the log'),
  });
  return {
    start: () => flusher.start(),
    stop: async () => {
      stopping = true;
      await flusher.stop();
    },
    note: async (door, refused) => {
      counter.inc({ protocol: door.protocol, code: refused.verdict });
      const tally = tallyOf(door);
      if (tally.recorded >= mostOfMinute) {
        tally.omitted += 1;
        tally.last = { ...refused, door };
        return;
      }
      tally.recorded += 1;
      const { omitted } = tally;
      Object.assign(tally, { omitted: 0, last: undefined });
      await record(door, refused, omitted);
    },
  };
}
