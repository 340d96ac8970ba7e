import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { getSite } from '../sites/get.ts';
import { formSummary, selectForms } from './form.ts';

/** A page of forms in order of their making, of one site or of all; archived ones only where asked for. @throws Problem `not_found` (404) for the site */
export const listForms = operation(
  {
    ...reads,
    name: 'service_list_forms',
    input: z.strictObject({
      siteId: z.uuid().optional().meta({ description: 'Only forms of this site.' }),
      archived: z.boolean().optional().meta({ default: false, description: 'true: archived ones too.' }),
      ...paging,
    }),
    answer: pageOf(formSummary.answer),
    errors: { insufficient_role: null, not_found: 'siteId' },
  },
  async ({ context, read }, { siteId = null, archived = false, limit, cursor = beforeAllIds }) => {
    const rows = await read(
      selectForms(
        `($2::uuid is null or f.site_id = $2::uuid) and ($3::boolean or f.archived_at is null)
          and f.form_id > $4::uuid order by f.form_id limit $5::int`,
        context.tenant,
        siteId,
        archived,
        cursor,
        limit + 1,
      ),
    );
    if (rows.length === 0 && siteId !== null) await getSite(context, { siteId });
    return page(rows, limit, formSummary.read, ({ id }) => id);
  },
);
