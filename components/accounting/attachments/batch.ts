import type { Batch } from '@steward/graphql';
import { statement } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { attachment, type Attachment } from './attachment.ts';

/** Files by what they are attached to, for many at once; 200 at most of each, the earliest first. */
export const attachmentsByTarget: Batch<string, Attachment[]> = async (ids, { tenant }) => {
  const rows = await tenant.require(readBooks).read(
    statement(
      `select ${attachment.columns} from unnest($1::uuid[]) wanted (id), lateral (
         select * from accounting.attachment t
         where t.tenant_id = $2::uuid and t.target_id = wanted.id and t.removed_at is null
         order by t.attached_at, t.attachment_id limit 200) a`,
      [ids, tenant.tenant],
    ),
  );
  return Map.groupBy(rows.map(attachment.read), ({ targetId }) => targetId);
};
