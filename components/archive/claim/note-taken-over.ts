import { permit } from '@steward/access';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '@steward/audit';
import type { Claim } from './note.ts';

const claimArchive = permit('audit.claim', ['platform']);

/** Records in the chain of a tenant that the archive was taken over; once, however often it is asked for. */
export async function noteTakenOver(context: TenantContext, claim: Claim): Promise<void> {
  const { taken } = claim;
  if (taken === undefined) return;
  await context.require(claimArchive).write(async (tx) => {
    const [told] = await tx.query(sql`
      select from audit.event where tenant_id = ${context.tenant} and type = 'audit.archive.claimed'
        and (event::jsonb -> 'payload' ->> 'number')::int = ${claim.number} limit 1`);
    if (told !== undefined) return;
    const lost = claim.lost.find(({ tenant }) => tenant === context.tenant);
    tx.record(
      event('audit.archive.claimed', {
        number: claim.number,
        incarnation: claim.incarnation,
        reason: taken.reason,
        ...(lost === undefined ? {} : { goes_on_from: lost.sequence }),
      }),
    );
  });
}
