import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { noBrand } from '../doors/get.ts';
import { paging, reads } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { standings } from '../words.ts';
import { agent, selectAgents } from './agent.ts';

/** A page of the agents that came to doors of the tenant, in the order in which they came first. */
export const listAgents = operation(
  {
    ...reads,
    name: 'service_list_agents_of_buyers',
    input: z.strictObject({
      brandId: z.uuid().optional().meta({ description: 'Only those of this brand.' }),
      standing: z.enum(standings).optional().meta({ description: 'Only those that stand so.' }),
      ...paging,
    }),
    answer: pageOf(agent.answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async (
    { context, read },
    { brandId = null, standing = null, limit, cursor = beforeAllIds },
    { brandName }: AgenticPorts,
  ) => {
    if (brandId !== null && (await brandName({ context, read }, brandId)) === undefined) throw noBrand();
    const rows = await read(
      selectAgents(
        `a.agent_id > $2::uuid and ($3::uuid is null or a.brand_id = $3::uuid) and ($4::text is null or a.standing = $4)
         order by a.agent_id limit $5::int`,
        context.tenant,
        cursor,
        brandId,
        standing,
        limit + 1,
      ),
    );
    return page(rows, limit, agent.read, ({ id }) => id);
  },
);
