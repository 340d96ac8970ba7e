import { Counter, type Log, type Metrics } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { OpenDoor } from '../doors/find.ts';
import { event } from '../events.ts';
import { admitAgents } from '../permissions.ts';
import type { Protocol } from '../words.ts';

export interface Refused {
  readonly profileUrl: string | null;
  readonly keyId: string | null;
  /** The code of the refusal. */
  readonly verdict: string;
}

/** Events of refusals in a minute of one door; what comes beyond is counted, and told with the next. */
const mostOfMinute = 20;
const minute = 60_000;
const mostDoors = 10_000;

interface Tally {
  until: number;
  recorded: number;
  omitted: number;
}

export interface RefusalsPorts {
  readonly contextOf: (tenant: string) => TenantContext;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly log: Log;
}

export interface Refusals {
  /** Records a refusal in the audit log, unless a flood of them is there already. Never throws: what refuses has answered by then. */
  note(door: Pick<OpenDoor, 'tenant' | 'brandId' | 'protocol'>, refused: Refused): Promise<void>;
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
  const omittedBefore = (brandId: string, protocol: Protocol): number | undefined => {
    const name = `${protocol} ${brandId}`;
    const now = performance.now();
    let tally = tallies.get(name);
    if (tally === undefined) {
      if (tallies.size >= mostDoors) tallies.clear();
      tallies.set(name, (tally = { until: now + minute, recorded: 0, omitted: 0 }));
    }
    if (tally.until <= now) Object.assign(tally, { until: now + minute, recorded: 0 });
    if (tally.recorded >= mostOfMinute) {
      tally.omitted += 1;
      return undefined;
    }
    tally.recorded += 1;
    const { omitted } = tally;
    tally.omitted = 0;
    return omitted;
  };
  return {
    note: async ({ tenant, brandId, protocol }, { profileUrl, keyId, verdict }) => {
      counter.inc({ protocol, code: verdict });
      const omitted = omittedBefore(brandId, protocol);
      if (omitted === undefined) return;
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
    },
  };
}
