import { field, id, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { madeBy } from '@steward/identity';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { AgenticPorts } from '../ports.ts';
import { modes } from '../words.ts';
import { credentialHash, credentialText } from './text.ts';

/** Of one agent at once: enough for each of its systems, and for rotation. */
export const mostCredentials = 20;

/** What is kept of the key of an agent platform: of `agentic.credential` named `c`. */
export const credential = shape('c', {
  id: id('c.credential_id'),
  brandId: id(),
  /** What it stands for: other keys of the same platform are the same agent. */
  agentId: id(),
  profileUrl: text(
    '(select a.profile_url from agentic.agent a where a.tenant_id = c.tenant_id and a.agent_id = c.agent_id)',
  ),
  mode: oneOf(modes),
  label: text(),
  /** How the key begins, `ak_live_` or `ak_test_`. */
  prefix: text(`'ak_' || c.mode || '_'`),
  lastFour: text(),
  /** Of the platform, for what it signs: Ed25519, the 32 bytes as base64url. */
  publicKey: nullable(field(z.string())),
  /** `ending`: rotated, and good until `expiresAt`. `suspended`: the client that it was issued through was shut out. */
  status: oneOf(
    ['active', 'ending', 'suspended', 'expired', 'revoked'],
    `case when c.revoked_at is not null then 'revoked'
      when c.suspended_at is not null and (c.expires_at is null or c.expires_at > clock_timestamp()) then 'suspended' when c.expires_at is null then 'active'
      when c.expires_at <= clock_timestamp() then 'expired' else 'ending' end`,
  ),
  /** The key that this one took over from. */
  replaces: nullable(id()),
  ...madeBy('c'),
  createdAt: moment(),
  expiresAt: nullable(moment()),
  revokedAt: nullable(moment()),
});
export type Credential = Of<typeof credential>;

export const issuedCredential = credential.answer.extend({
  /** Here and never again; null in an action, and for a repeat of a command after the secret of the installation was changed. */
  key: z.string().nullable().meta({
    description: 'The key itself, shown only in this answer; null where people or a rule approved it. Keep it.',
  }),
});
export type IssuedCredential = Of<{ readonly answer: typeof issuedCredential }>;

/** RFC 8037: `x` of the JWK of an Ed25519 key. */
export const publicKeyGiven = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/,
    'Give the 32 bytes of an Ed25519 public key as base64url, without padding',
  );

export const byCredential = {
  credentialId: z.uuid().meta({ description: 'From service_list_agent_credentials.' }),
};
export const noCredential = (): Error =>
  fail('not_found', 'There is no such credential: list the credentials for their ids.');

/** Credentials of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectCredentials = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${credential.columns} from agentic.credential c where c.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** The credential, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdCredential(tx: TenantTransaction, credentialId: string): Promise<Credential> {
  const [row] = await tx.query(
    selectCredentials('c.credential_id = $2::uuid for no key update of c', tx.context.tenant, credentialId),
  );
  if (row === undefined) throw noCredential();
  return credential.read(row);
}

/** The answer of the transaction: enough to say whether the key can be derived again, and nothing to use it with. */
export interface KeptCredential {
  readonly view: Credential;
  readonly hash: string;
}

/**
 * The key for its one showing. It is never in what a transaction answers, because commands keep such answers; nor in what an action came to, which is kept and
 * shown to whoever may see it.
 */
export function shown(
  { secret }: Pick<AgenticPorts, 'secret'>,
  { tenant, action }: Pick<TenantContext, 'tenant' | 'action'>,
  { view, hash }: KeptCredential,
): IssuedCredential {
  const derived = credentialText(secret, view.mode, tenant, view.id);
  const showing = action === undefined && credentialHash(derived).toString('hex') === hash;
  return { ...view, key: showing ? derived : null };
}
