import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { noBrand } from '../doors/get.ts';
import { byBrand, paging, reads } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { credential, selectCredentials } from './credential.ts';

/** A page of the credentials of a brand in order of their making, also those that ended. */
export const listCredentials = operation(
  {
    ...reads,
    name: 'service_list_agent_credentials',
    input: z.strictObject({ ...byBrand, ...paging }),
    answer: pageOf(credential.answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read }, { brandId, limit, cursor = beforeAllIds }, { brandName }: AgenticPorts) => {
    if ((await brandName({ context, read }, brandId)) === undefined) throw noBrand();
    const rows = await read(
      selectCredentials(
        'c.brand_id = $2::uuid and c.credential_id > $3::uuid order by c.credential_id limit $4::int',
        context.tenant,
        brandId,
        cursor,
        limit + 1,
      ),
    );
    return page(rows, limit, credential.read, ({ id }) => id);
  },
);
