import type { TenantContext } from '@steward/sql';
import { readStudio } from '../permissions.ts';
import { presentSummary, selectForms, type FormSummary } from './form.ts';

/** A page of forms in order of their making, of one site or of all; archived ones only where asked for. */
export async function listForms(
  context: TenantContext,
  page: { limit: number; after?: string | undefined; siteId?: string | undefined; archived?: boolean | undefined },
): Promise<{ items: FormSummary[]; nextCursor: string | null }> {
  const { limit, after, siteId, archived } = page;
  const rows = await context.require(readStudio).read(
    selectForms(
      `($2::uuid is null or f.site_id = $2::uuid) and ($3::boolean or f.archived_at is null)
        and ($4::uuid is null or f.form_id > $4::uuid) order by f.form_id limit $5::int`,
      context.tenant,
      siteId ?? null,
      archived ?? false,
      after ?? null,
      limit + 1,
    ),
  );
  const items = rows.slice(0, limit).map(presentSummary);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
