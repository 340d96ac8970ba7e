import { operation } from '@steward/access';
import { field, id, moment, pageCursor, pageLimit, pageOf, shape, text } from '@steward/contract';
import { newId } from '@steward/kernel';
import { afterAllIds, page, sql, statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { unknownContact } from '../contacts/contact.ts';
import { discarded, type Discarded } from '../contacts/discarded.ts';
import { reads } from '../operations.ts';
import { camelRefs, refs, type Refs } from '../refs.ts';

/** Something that happened with a contact. */
const entry = shape('e', {
  id: id('e.entry_id'),
  /** Such as `form.submitted`. */
  kind: text(),
  refs: field(refs, undefined, (stored) => camelRefs(stored as Refs)),
  occurredAt: moment(),
  /** Of a merge (`contact.merged`): what was not taken over from the contact that was merged. */
  discarded: field(
    discarded.optional().meta({ description: 'Only of a merge: the values that were not taken over.' }),
    `(select m.discarded from crm.contact m where e.kind = 'contact.merged' and m.tenant_id = e.tenant_id
        and m.contact_id = (e.refs ->> 'merged_id')::uuid)`,
    (value) => (value ?? undefined) as Discarded | undefined,
  ),
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
  const entryId = newId();
  // Held, so that a merge under way is waited for and the next one waits for the entry.
  for (let contactId = note.contactId; ;) {
    const [row] = await tx.query<{ merged_into: string | null }>(sql`
      select merged_into from crm.contact
      where tenant_id = ${tenant}::uuid and contact_id = ${contactId}::uuid for key share`);
    if (row === undefined) throw unknownContact();
    if (row.merged_into === null) {
      await tx.query(sql`
        insert into crm.timeline_entry (tenant_id, contact_id, entry_id, kind, refs)
        values (${tenant}::uuid, ${contactId}::uuid, ${entryId}::uuid, ${note.kind}, ${JSON.stringify(note.refs)}::jsonb)`);
      return entryId;
    }
    contactId = row.merged_into;
  }
}

const list = (tenant: string, contactId: string, limit: number, cursor = afterAllIds): Statement =>
  statement(
    `select ${entry.columns} from crm.contact asked
     cross join lateral (
       select * from crm.timeline_entry t
       where t.tenant_id = $1::uuid and t.contact_id = coalesce(asked.merged_into, asked.contact_id) and t.entry_id < $3::uuid
       order by t.entry_id desc limit $4::int
     ) e
     where asked.tenant_id = $1::uuid and asked.contact_id = $2::uuid
     order by e.entry_id desc`,
    [tenant, contactId, cursor, limit + 1],
  );

/** Newest first. @throws Problem `not_found` (404) */
export const listTimeline = operation(
  {
    ...reads,
    name: 'service_list_contact_timeline',
    input: z.strictObject({
      contactId: z.uuid().meta({ description: 'From service_search_contacts.' }),
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(entry.answer),
    errors: ['not_found'],
  },
  async (scope, { contactId, limit, cursor }) => {
    const { tenant } = scope.context;
    const [known = [], rows = []] = await scope.readAll([
      sql`select from crm.contact where tenant_id = ${tenant}::uuid and contact_id = ${contactId}::uuid`,
      list(tenant, contactId, limit, cursor),
    ]);
    if (known.length === 0) throw unknownContact();
    return page(rows, limit, entry.read, ({ id: last }) => last);
  },
);
