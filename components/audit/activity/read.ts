import { heavily } from '@steward/access';
import { statement, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { readEvents } from '../policy.ts';

/** What one agent, or everybody without one, did on a day. */
export const activity = z.object({
  day: z.string().meta({ format: 'date', description: 'In UTC, as events happened.' }),
  agent: z.string().nullable().meta({ description: 'As in `principalChain`; null: no agent took part.' }),
  events: z.int().min(0),
  denied: z.int().min(0).meta({ description: 'Calls that were refused.' }),
  lastAt: z.string().meta({ format: 'date-time', description: 'When the last of them happened.' }),
});
export type Activity = z.output<typeof activity>;

/** Days that may be asked for at once. */
export const mostDays = 92;
/** Agents of a day that are told one by one: those that did most. */
const mostAgents = 50;

interface Row extends Record<string, unknown> {
  readonly day: string;
  readonly agent: string | null;
  readonly events: bigint;
  readonly denied: bigint;
  readonly last_at: Date;
}

const dayLength = 86_400_000;

/**
 * Counts of the last days' events, by day and by the agent that acted. Calls that were refused are counted as often as they were refused.
 * @param days 1 to 92, with today
 * @throws Problem `tenant_forbidden` (403)
 */
export async function readActivity(context: TenantContext, days: number): Promise<Activity[]> {
  const rows = await context.require(heavily(readEvents)).read<Row>(
    statement(
      `select day::text, agent, events, denied, last_at from (
         select *, row_number() over (partition by day order by events desc, agent) as place from (
           select (happened_at at time zone 'UTC')::date as day,
             (select substr(p, 7) from unnest(principals) p where starts_with(p, 'agent:') limit 1) as agent,
             count(*) as events, max(happened_at) as last_at,
             coalesce(sum(case type when 'tools.call.denied' then 1
               when 'tools.calls.denied' then coalesce(substring(event from '"payload":\\{"count":([0-9]{1,15})[,}]')::bigint, 0) end), 0)::bigint as denied
           from (
             select principals, type, event, least(occurred_at, received_at) as happened_at
             from audit.event
             where tenant_id = $1::uuid and occurred_at >= $2::timestamptz
               and sequence >= (select audit.first_received($1::uuid, $2::timestamptz))) events
           group by 1, 2) counts) ranked
       where place <= ${mostAgents} order by day desc, events desc, agent`,
      [context.tenant, new Date(Math.floor(Date.now() / dayLength - days + 1) * dayLength).toISOString()],
    ),
  );
  return rows.map(({ day, agent, events, denied, last_at: last }) => ({
    day,
    agent,
    events: Number(events),
    denied: Number(denied),
    lastAt: last.toISOString(),
  }));
}
