import { statement, type TenantTransaction } from '@steward/sql';

/**
 * Address, secret and end of an invitation, and by which action its first secret is still to be made, as the digest in its event: because of the secret's hash, nobody can guess
 * the address from it. Verification makes the same from the rows.
 */
export const invitationContents = `select tenant_id, invitation_id, translate(encode(sha256(convert_to((jsonb_build_array('invitation/v1', email,
    encode(secret_hash, 'hex'), extract(epoch from expires_at)) || coalesce(to_jsonb(action_id), '[]'))::text, 'UTF8')), 'base64'), '+/=', '-_') as digest
  from portal.invitation`;

/** In the transaction that wrote it: for its event, as `content_sha256`. */
export async function contentOf(tx: TenantTransaction, invitationId: string): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(
      `select digest from (${invitationContents}) c where c.tenant_id = $1::uuid and c.invitation_id = $2::uuid`,
      [tx.context.tenant, invitationId],
    ),
  );
  return row?.digest ?? '';
}
