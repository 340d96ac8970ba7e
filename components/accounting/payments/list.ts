import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { aboveAllNumbers, page } from '@steward/sql';
import { z } from 'zod';
import { firstDay, lastDay } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { inOrder } from '../periods/span.ts';
import { requireParty } from '../parties/party.ts';
import { payment, paymentDirection, selectPayments } from './payment.ts';

/** The latest number first, which is their cursor; with `open` those with something left to allocate. @throws Problem `not_found` (404) for the party */
export const listPayments = operation(
  {
    ...reads,
    area: 'sales',
    name: 'service_list_payments',
    input: z.strictObject({
      partyId: z.uuid().optional().meta({ description: 'Only payments of this customer or supplier.' }),
      direction: paymentDirection.optional().meta({ description: 'Only payments received, or only payments made.' }),
      from: firstDay.optional(),
      to: lastDay.optional(),
      open: z.boolean().default(false).meta({ description: 'true: only payments with an open amount.' }),
      limit: pageLimit,
      cursor: pageCursor(z.string().regex(/^\d{1,18}$/)),
    }),
    answer: pageOf(payment.answer),
    errors: ['not_found'],
  },
  async (scope, { partyId, direction, from, to, open, limit, cursor }) => {
    inOrder({ from, to });
    const rows = await scope.read(
      selectPayments(
        `y.tenant_id = $1::uuid and y.number < $2::bigint and ($3::uuid is null or y.party_id = $3)
         and ($4::text is null or y.direction = $4) and ($5::date is null or y.date >= $5) and ($6::date is null or y.date <= $6)
         and (not $7::boolean or i.open_amount > 0)
       order by y.number desc limit $8::int`,
        [
          scope.context.tenant,
          cursor ?? aboveAllNumbers,
          partyId ?? null,
          direction ?? null,
          from ?? null,
          to ?? null,
          open,
          limit + 1,
        ],
      ),
    );
    if (rows.length === 0 && partyId !== undefined) await requireParty(scope, partyId);
    return page(rows, limit, payment.read, (_item, { number }) => String(number));
  },
);
