import { clientOf, holdClients } from '@steward/identity';
import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

/** The client that somebody is appointed through, in the transaction that does it. @throws Problem `tenant_forbidden` (403) */
export async function openClient(tx: TenantTransaction): Promise<string | undefined> {
  const client = clientOf(tx.context);
  await holdClients(tx);
  const shut = await tx.query(sql`
    select from portal.agent_grant
    where agent_id = ${client ?? ''} and (revoked_at is not null or suspended_at is not null)`);
  if (shut.length > 0)
    throw fail(
      'tenant_forbidden',
      'The client that sent this request was shut out of the organization. Use another client.',
    );
  return client;
}
