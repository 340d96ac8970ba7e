import type { Maker } from '@steward/identity';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { agenticFail } from '../errors.ts';
import type { AgenticPorts } from '../ports.ts';
import { type Credential, credential, type KeptCredential, mostCredentials } from './credential.ts';
import { credentialHash, credentialText } from './text.ts';

/** Stores a new credential of an agent that the transaction holds. @throws Problem `agent_credential_limit` (409) */
export async function insertCredential(
  tx: TenantTransaction,
  { secret }: Pick<AgenticPorts, 'secret'>,
  {
    brandId,
    agentId,
    mode,
    label,
    publicKey,
    replaces,
  }: Pick<Credential, 'brandId' | 'agentId' | 'mode' | 'label' | 'publicKey' | 'replaces'>,
  { by, byType, through }: Maker,
): Promise<KeptCredential> {
  const { tenant } = tx.context;
  const [count] = await tx.query<{ live: number }>(sql`
    select count(*)::int as live from agentic.credential where tenant_id = ${tenant}::uuid and agent_id = ${agentId}::uuid
      and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`);
  if ((count?.live ?? 0) >= mostCredentials)
    throw agenticFail(
      'agent_credential_limit',
      `An agent has ${mostCredentials} credentials at most: revoke those that nobody uses.`,
    );
  const credentialId = newId();
  const text = credentialText(secret, mode, tenant, credentialId);
  const hash = credentialHash(text);
  const [row] = await tx.query(
    statement(
      `insert into agentic.credential as c (tenant_id, credential_id, brand_id, agent_id, mode, key_hash, last_four, label, public_key, replaces,
         created_by, created_by_type, created_through)
       values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5, $6, $7, $8, $9, $10::uuid, $11, $12, $13) returning ${credential.columns}`,
      [
        tenant,
        credentialId,
        brandId,
        agentId,
        mode,
        hash,
        text.slice(-4),
        label,
        publicKey,
        replaces,
        by,
        byType,
        through,
      ],
    ),
  );
  return { view: credential.read(row ?? {}), hash: hash.toString('hex') };
}
