import type { TenantContext } from '@steward/sql';
import { beforeAllIds, page, type Page, type PageRequest } from '@steward/sql';
import { readStudio } from '../permissions.ts';
import { presentSummary, selectForms, type FormSummary } from './form.ts';

/** A page of forms in order of their making, of one site or of all; archived ones only where asked for. */
export async function listForms(
  context: TenantContext,
  { siteId, archived }: { readonly siteId?: string | undefined; readonly archived?: boolean | undefined },
  { limit, cursor }: PageRequest,
): Promise<Page<FormSummary>> {
  const rows = await context.require(readStudio).read(
    selectForms(
      `($2::uuid is null or f.site_id = $2::uuid) and ($3::boolean or f.archived_at is null)
        and f.form_id > $4::uuid order by f.form_id limit $5::int`,
      context.tenant,
      siteId ?? null,
      archived ?? false,
      cursor ?? beforeAllIds,
      limit + 1,
    ),
  );
  return page(rows, limit, presentSummary, ({ id }) => id);
}
