import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { noBrand } from '../doors/get.ts';
import { byBrand, paging, reads } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { brandHost, hostFrom, selectHosts } from './host.ts';

/** A page of the hosts of a brand in the order of their claims, also of those that it released. */
export const listHosts = operation(
  {
    ...reads,
    name: 'service_list_brand_hosts',
    input: z.strictObject({ ...byBrand, ...paging }),
    answer: pageOf(brandHost.answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read }, { brandId, limit, cursor = beforeAllIds }, ports: AgenticPorts) => {
    const { tenant } = context;
    if ((await ports.brandName({ context, read }, brandId)) === undefined) throw noBrand();
    const rows = await read(
      selectHosts(
        'h.brand_id = $2::uuid and h.host_id > $3::uuid order by h.host_id limit $4::int',
        tenant,
        brandId,
        cursor,
        limit + 1,
      ),
    );
    return page(
      rows,
      limit,
      (row) => hostFrom(row, tenant, ports),
      ({ id }) => id,
    );
  },
);
