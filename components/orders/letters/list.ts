import { operation } from '@steward/access';
import { timestamp } from '@steward/kernel';
import { selectOwedAbout } from '@steward/mail';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { byOrder, expectOrder } from '../orders/order.ts';
import { buyer, component, factOf } from './fact.ts';

const letter = z.object({
  kind: z
    .enum(['placed', 'cancelled', 'shipped', 'delivered', 'refunded', 'edited'])
    .meta({ description: 'What it tells of.' }),
  toldAt: z.iso.datetime(),
  state: z.enum(['waiting', 'sent', 'returned', 'given_up', 'left_out', 'settled']).meta({
    description: 'left_out: the address was told too much already. settled: so long ago that nothing more is kept.',
  }),
  settledAt: z.iso.datetime().nullable(),
  reason: z.string().nullable().meta({ description: 'Why it was given up.' }),
});

/** An order has no more fulfilments, edits and refunds than some hundred. */
const mostLetters = 200;

/** What the buyer of an order was told by email, the latest first, and how each fares: nothing of what they say. @throws Problem `not_found` (404) */
export const listOrderLetters = operation(
  {
    ...reads,
    name: '',
    input: z.strictObject(byOrder),
    answer: z.object({ letters: z.array(letter) }),
    errors: ['not_found'],
  },
  async (scope, { orderId }) => {
    const { tenant } = scope.context;
    const told = await scope.read<{ about: string; owed: boolean; told_at: Date }>(
      statement(
        `select l.about, l.owed, l.told_at from (
           select concat_ws(' ', kind, $2::uuid) as about from unnest(array['placed', 'cancelled']) kind
           union all
           select concat_ws(' ', kind, f.order_id, f.fulfilment_id) from orders.fulfilment f cross join unnest(array['shipped', 'delivered']) kind
           where f.tenant_id = $1::uuid and f.order_id = $2::uuid
           union all
           select concat_ws(' ', 'edited', d.order_id, d.edit_id) from orders.edit d where d.tenant_id = $1::uuid and d.order_id = $2::uuid
           union all
           select concat_ws(' ', 'refunded', f.order_id, f.refund_id) from orders.refund f where f.tenant_id = $1::uuid and f.order_id = $2::uuid) k
         join orders.letter l on l.tenant_id = $1::uuid and l.about = k.about and l.reader = $3
         order by l.told_at desc limit ${mostLetters}`,
        [tenant, orderId, buyer],
      ),
    );
    if (told.length === 0) await expectOrder(scope, orderId);
    const abouts = told.map(({ about }) => about);
    const rows = await scope.read<{
      about: string;
      state: 'queued' | 'sent' | 'dead';
      settled_at: Date | null;
      reason: string | null;
      returned_at: Date | null;
    }>(selectOwedAbout(tenant, { by: component, abouts, reader: buyer }));
    const known = new Map(rows.map((row) => [row.about, row]));
    return {
      letters: told.flatMap(({ about, owed, told_at: at }) => {
        const fact = factOf(about);
        const mail = known.get(about);
        if (fact === undefined) return [];
        return {
          kind: fact.kind,
          toldAt: timestamp(at.getTime()),
          state: owed ? stateOf(mail) : ('left_out' as const),
          settledAt: presented(mail?.settled_at),
          reason: mail?.state === 'dead' ? mail.reason : null,
        };
      }),
    };
  },
);

const presented = (at: Date | null | undefined): string | null =>
  at === null || at === undefined ? null : timestamp(at.getTime());

function stateOf(
  mail: { readonly state: 'queued' | 'sent' | 'dead'; readonly returned_at: Date | null } | undefined,
): 'waiting' | 'sent' | 'returned' | 'given_up' | 'settled' {
  if (mail === undefined) return 'settled';
  if (mail.returned_at !== null) return 'returned';
  return mail.state === 'queued' ? 'waiting' : mail.state === 'sent' ? 'sent' : 'given_up';
}
