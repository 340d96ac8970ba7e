import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { beforeAllIds, page, statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { party } from './party.ts';

/** In the order they were added. */
export const listParties = operation(
  {
    ...reads,
    area: 'sales',
    name: 'service_list_parties',
    input: z.strictObject({
      name: z.string().min(1).max(200).optional().meta({ description: 'Part of the name, upper or lower case.' }),
      role: z.enum(['customer', 'supplier']).optional().meta({ description: 'Only customers, or only suppliers.' }),
      archived: z.boolean().default(false).meta({ description: 'true: archived ones too.' }),
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(party.answer),
  },
  async (scope, { name, role, archived, limit, cursor }) => {
    const rows = await scope.read(
      statement(
        `select ${party.columns} from accounting.party t
         where t.tenant_id = $1::uuid and t.party_id > $2::uuid and ($3 or t.archived_at is null)
           and ($4::text is null or ($4 = 'customer' and t.customer) or ($4 = 'supplier' and t.supplier))
           and ($5::text is null or position(lower($5) in lower(t.name)) > 0)
         order by t.party_id limit $6::int`,
        [scope.context.tenant, cursor ?? beforeAllIds, archived, role ?? null, name ?? null, limit + 1],
      ),
    );
    return page(rows, limit, party.read, ({ id }) => id);
  },
);
