import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { noBrand } from '../doors/get.ts';
import { byBrand, paging, reads } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { selectKeys, signingKey } from './key.ts';

/** A page of the keys of a brand in order of their making, also those that ended. */
export const listSigningKeys = operation(
  {
    ...reads,
    name: 'service_list_signing_keys',
    input: z.strictObject({ ...byBrand, ...paging }),
    answer: pageOf(signingKey.answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read }, { brandId, limit, cursor = beforeAllIds }, { brandName }: AgenticPorts) => {
    if ((await brandName({ context, read }, brandId)) === undefined) throw noBrand();
    const rows = await read(
      selectKeys(
        'k.brand_id = $2::uuid and k.key_id > $3::uuid order by k.key_id limit $4::int',
        context.tenant,
        brandId,
        cursor,
        limit + 1,
      ),
    );
    return page(rows, limit, signingKey.read, ({ id }) => id);
  },
);
