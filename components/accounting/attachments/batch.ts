import type { Batch } from '@steward/graphql';
import { sql } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { type Attachment, presentAttachment } from './attachment.ts';

/** Files by what they are attached to, for many at once; 200 at most of each, the earliest first. */
export const attachmentsByTarget: Batch<string, Attachment[]> = async (ids, { tenant }) => {
  const rows = await tenant.require(readBooks).read(sql`
    select t.* from unnest(${ids}::uuid[]) wanted (id), lateral (
      select * from accounting.attachment a
      where a.tenant_id = ${tenant.tenant}::uuid and a.target_id = wanted.id and a.removed_at is null
      order by a.attached_at, a.attachment_id limit 200) t`);
  return Map.groupBy(rows.map(presentAttachment), ({ targetId }) => targetId);
};
