import type { DerivedRows, RecordedRows } from '@steward/verification';
import { posted, takenRows } from '@steward/accounting';
import { settled as booked } from '@steward/bookkeeping';
import { givenBackElsewhere, givenUp } from '@steward/orders';
import { components } from './components.ts';

/** An order's money that was given back: without entries, which follow later and count no more. */
const refunded = 'commerce.order.refunded';
/** The same by the payment that it was taken from: what a marketplace gave back was decided there. */
const paidBack = 'commerce.payment.refunded';
/** What buyers owed, and a member, a refund or a cancellation gave up. */
const voided = 'commerce.payment.voided';

/**
 * What entries and refunds took, by the id that it is kept under: of the action that was carried out with them, else of the first event of their
 * transaction, whose events were received at one moment in one workflow.
 */
const due = `with x as materialized (
    select e.tenant_id, e.received_at, coalesce(
        (array_agg((e.event::jsonb -> 'payload' ->> 'action_id')::uuid) filter (where e.type = 'approvals.action.executed'))[1],
        (array_agg(e.id order by e.sequence))[1]) as posting,
      bool_or(e.type = 'approvals.action.executed') as decided,
      array_agg((e.event::jsonb -> 'payload' ->> 'entry_id')::uuid) filter (where e.type = '${posted}') as entries,
      jsonb_agg(e.event::jsonb -> 'payload' -> 'entries')
        filter (where e.type = '${booked}' and e.event::jsonb -> 'payload' ->> 'kind' = 'refund') as booked,
      array_agg(e.event::jsonb -> 'payload') filter (where e.type = '${refunded}' and e.event::jsonb -> 'payload' ->> 'mode' = 'live') as refunds,
      array_agg(e.event::jsonb -> 'payload' ->> 'source_id') filter (where e.type = '${paidBack}'
        and e.event::jsonb -> 'payload' ->> 'source_kind' = '${givenBackElsewhere}') as elsewhere,
      array_agg(e.event::jsonb -> 'payload') filter (where e.type = '${voided}' and e.event::jsonb -> 'payload' ->> 'mode' = 'live'
        and e.event::jsonb -> 'payload' ->> 'source_kind' in (${givenUp.map((kind) => `'${kind}'`).join(', ')})) as voids
    from (select distinct tenant_id, received_at, correlation_id from audit.event where type in ('${posted}', '${refunded}', '${voided}')) p
    join audit.event e on e.tenant_id = p.tenant_id and e.received_at = p.received_at and e.correlation_id is not distinct from p.correlation_id
    group by e.tenant_id, e.received_at, e.correlation_id
  ), d as materialized (
    select t.*, x.decided, x.received_at
    from (${takenRows(`select x.tenant_id, x.posting, y.entry_id from x, unnest(x.entries) as y (entry_id)
      where not exists (select from jsonb_array_elements(x.booked) b (entries) where b.entries ? y.entry_id::text)`)}) t
    join x on x.tenant_id = t.tenant_id and x.posting = t.posting
    union all
    select x.tenant_id, x.posting, f.currency, false, sum(f.taken), sum(f.owed), x.decided, x.received_at
    from x, lateral (
      select r ->> 'currency', replace(r ->> 'total', '.', '')::numeric, 0 from unnest(x.refunds) as y (r)
        where x.elsewhere is null or r ->> 'refund_id' <> all (x.elsewhere)
      union all select v ->> 'currency', 0, replace(v ->> 'amount', '.', '')::numeric from unnest(x.voids) as y (v)
    ) as f (currency, taken, owed) group by x.tenant_id, x.posting, f.currency, x.decided, x.received_at
  )`;

/** Of what waits, or was never done, nothing was posted; a tool that says what it pays may say so in a currency that no entry has. */
const settled = `select o.*, a.tool as asked from approvals.outflow o
  left join approvals.action a on a.tenant_id = o.tenant_id and a.action_id = o.outflow_id
  where (a.action_id is null or a.state = 'executed')
    and (exists (select from d where d.tenant_id = o.tenant_id and d.posting = o.outflow_id and d.currency = o.currency)
      or a.action_id is null and not exists (select from d where d.tenant_id = o.tenant_id and d.posting = o.outflow_id))`;

/**
 * What counts against the limits of a day follows from the entries and refunds: for what a person did at once exactly, in a tool's own words or by
 * rates that have been stored since at least.
 */
const outflow: DerivedRows = {
  what: 'money out',
  from: 'the entries and refunds of its transaction',
  held: `${due} select o.tenant_id, concat_ws(' ', o.outflow_id, o.currency) as key, concat_ws(' ',
      case when d.decided or d.by_rate then least(o.taken, d.taken) else o.taken end,
      case when d.by_rate then least(o.owed, d.owed) else o.owed end,
      case when o.at between d.received_at - interval '1 hour' and d.received_at + interval '1 hour' then 'in time' else o.at::text end,
      case when o.asked is null or o.tool = o.asked then 'by its tool' else o.tool end) as says
    from (${settled}) o left join d on d.tenant_id = o.tenant_id and d.posting = o.outflow_id and d.currency = o.currency`,
  due: `${due} select tenant_id, concat_ws(' ', posting, currency) as key, concat_ws(' ', taken, owed, 'in time', 'by its tool') as says from d`,
};

/** All that `audit verify` holds to the log, or to what follows from it. */
export const recorded: readonly (DerivedRows | RecordedRows)[] = [
  ...components.flatMap((component) => component.recorded ?? []),
  outflow,
];
