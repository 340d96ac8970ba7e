import { newId } from '@steward/kernel';
import {
  afterAllIds,
  page,
  type Page,
  type PageRequest,
  type Row,
  sql,
  type TenantContext,
  type TenantTransaction,
} from '@steward/sql';
import type { Refs } from '../refs.ts';
import { unknownContact } from '../contacts/contact.ts';
import type { Discarded } from '../contacts/merge.ts';
import { readContacts } from '../permissions.ts';

/** Something that happened with a contact. */
export interface TimelineEntry {
  readonly id: string;
  /** Such as `form.submitted`. */
  readonly kind: string;
  readonly refs: Refs;
  readonly occurredAt: string;
  /** Of a merge (`contact.merged`): what was not taken over from the contact that was merged. */
  readonly discarded?: Discarded;
}

const presentEntry = (row: Row): TimelineEntry => ({
  id: String(row['entry_id']),
  kind: String(row['kind']),
  refs: row['refs'] as Refs,
  occurredAt: (row['occurred_at'] as Date).toISOString(),
  ...((row['discarded'] ?? null) === null ? {} : { discarded: row['discarded'] as Discarded }),
});

/**
 * Puts something on a contact's timeline, in the caller's transaction; `resolveContact` does so by itself. Ids only, no
 * personal data. A contact that was merged is the one it was merged into.
 * @throws Problem `not_found` (404)
 */
export async function noteOnTimeline(
  tx: TenantTransaction,
  note: { readonly contactId: string; readonly kind: string; readonly refs: Refs },
): Promise<string> {
  const { tenant } = tx.context;
  const id = newId();
  // Held, so that a merge under way is waited for and the next one waits for the entry.
  for (let contactId = note.contactId; ;) {
    const [row] = await tx.query<{ merged_into: string | null }>(sql`
      select merged_into from crm.contact
      where tenant_id = ${tenant}::uuid and contact_id = ${contactId}::uuid for key share`);
    if (row === undefined) throw unknownContact();
    if (row.merged_into === null) {
      await tx.query(sql`
        insert into crm.timeline_entry (tenant_id, contact_id, entry_id, kind, refs)
        values (${tenant}::uuid, ${contactId}::uuid, ${id}::uuid, ${note.kind}, ${JSON.stringify(note.refs)}::jsonb)`);
      return id;
    }
    contactId = row.merged_into;
  }
}

/** Newest first. @throws Problem `not_found` (404) */
export async function listTimeline(
  context: TenantContext,
  contactId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<TimelineEntry>> {
  const { tenant } = context;
  const [known = [], rows = []] = await context.require(readContacts).readAll([
    sql`select from crm.contact where tenant_id = ${tenant}::uuid and contact_id = ${contactId}::uuid`,
    sql`
      select e.entry_id, e.kind, e.refs, e.occurred_at, (
        select m.discarded from crm.contact m where e.kind = 'contact.merged' and m.tenant_id = ${tenant}::uuid
          and m.contact_id = (e.refs ->> 'merged_id')::uuid) as discarded
      from crm.contact asked
      cross join lateral (
        select * from crm.timeline_entry t
        where t.tenant_id = ${tenant}::uuid and t.contact_id = coalesce(asked.merged_into, asked.contact_id)
          and t.entry_id < ${cursor ?? afterAllIds}::uuid
        order by t.entry_id desc limit ${limit + 1}::int
      ) e
      where asked.tenant_id = ${tenant}::uuid and asked.contact_id = ${contactId}::uuid
      order by e.entry_id desc`,
  ]);
  if (known.length === 0) throw unknownContact();
  return page(rows, limit, presentEntry, ({ id }) => id);
}
