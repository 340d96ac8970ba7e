import type { Caller } from '@steward/access';
import { fail, newId, Problem, type Addresses, type PrincipalRef } from '@steward/kernel';
import { sql, type Tenancy, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import { foundTenant } from '../permissions.ts';
import { billingIn } from '../billing/billing.ts';
import {
  createdToday,
  findOwned,
  findSignup,
  fingerprintOf,
  foldName,
  keepSignup,
  type KeptSignup,
} from './directory.ts';
import { bootstrapDocument } from './document.ts';
import { provision, type Provisioning } from './provision.ts';
import type { SignupRequest } from './request.ts';
import type { PortalSettings } from '../settings.ts';

export interface SignupPorts {
  readonly tenancy: Tenancy;
  readonly addresses: Addresses;
  readonly config: Pick<PortalSettings, 'signup' | 'plans'>;
  readonly provisioning: Provisioning;
  /** Whether the subject still owns the tenant, asked in the signup's transaction. */
  readonly owns: (tx: TenantTransaction, subject: PrincipalRef) => Promise<boolean>;
}

export interface SignupAnswer {
  /** The bootstrap document's exact text: a replay is byte for byte the first answer. */
  readonly document: string;
  readonly replayed: boolean;
}

/**
 * Creates a tenant for the owner, or answers with the one of that name they already have (contracts §5). One
 * transaction: a failure leaves nothing behind and the same key may be tried again.
 * @throws Problem `idempotency_conflict` (409), `signup_owner_limit` (429), `signup_failed` (500), `unavailable` (503)
 */
export async function signUp(
  ports: SignupPorts,
  caller: Caller,
  key: string,
  request: SignupRequest,
  ids: { requestId: string },
): Promise<SignupAnswer> {
  const owner = caller.subject.id;
  const folded = foldName(request.organizationName);
  let lost = false;
  for (;;) {
    const known = await findOwned(ports.tenancy.pool, owner, folded);
    const context = ports.tenancy.systemContext({
      tenant: lost ? newId() : (known ?? newId()),
      chain: caller.chain,
      subject: caller.subject,
      caller: caller.principal,
      requestId: ids.requestId,
      correlationId: newId(),
    });
    try {
      const answer = await context
        .require(foundTenant)
        .write(async (tx) => attempt(ports, tx, { owner, folded, known, key, request, subject: caller.subject }));
      // They no longer own the tenant with this name, so they get a new one.
      if (answer === 'lost') lost = true;
      else if (answer !== 'again') return answer;
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw portalFail('signup_failed', 'Nothing was created. Try again with the same idempotency key.', {
        cause: error,
      });
    }
  }
}

interface Attempt {
  readonly owner: string;
  readonly folded: string;
  /** The tenant of that name, as seen before the lock was taken. */
  readonly known: string | undefined;
  readonly key: string;
  readonly request: SignupRequest;
  readonly subject: PrincipalRef;
}

async function attempt(
  ports: SignupPorts,
  tx: TenantTransaction,
  what: Attempt,
): Promise<SignupAnswer | 'again' | 'lost'> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`signup:${what.owner}`}, 0))`);
  const kept = await findSignup(tx, what.owner, what.key);
  if (kept !== undefined) return replay(kept, what.request);
  const owned = await findOwned(tx, what.owner, what.folded);
  if (owned === tx.context.tenant) return (await ports.owns(tx, what.subject)) ? reuse(ports, tx, what) : 'lost';
  // Another call made it while this one waited for the lock.
  if (owned !== what.known) return 'again';
  return create(ports, tx, what);
}

function replay(kept: KeptSignup, request: SignupRequest): SignupAnswer {
  if (!kept.fingerprint.equals(fingerprintOf(request))) {
    throw fail(
      'idempotency_conflict',
      'This key was used for a signup with another body: use a new key, or repeat the body of the first call.',
    );
  }
  return { document: kept.document, replayed: true };
}

async function reuse(ports: SignupPorts, tx: TenantTransaction, what: Attempt): Promise<SignupAnswer> {
  const [tenant] = await tx.query<{ name: string }>(sql`select name from portal.tenant`);
  const billing = await billingIn(tx, ports.config.plans);
  const facts = {
    tenant: tx.context.tenant,
    name: tenant?.name ?? '',
    tier: billing.tier,
    status: billing.status,
    trialEndsAt: billing.trialEndsAt,
  };
  const document = JSON.stringify(bootstrapDocument(facts, ports.addresses));
  await keepSignup(tx, { ...what, created: false, document });
  tx.record(event('portal.signup.reused', {}));
  return { document, replayed: false };
}

async function create(ports: SignupPorts, tx: TenantTransaction, what: Attempt): Promise<SignupAnswer> {
  const allowed = ports.config.signup.ownedPerOwnerPerDay;
  if ((await createdToday(tx, what.owner)) >= allowed) {
    const midnight = 86_400 - (Math.floor(Date.now() / 1000) % 86_400);
    throw portalFail(
      'signup_owner_limit',
      `An owner may create ${allowed} tenants a day (UTC): try again tomorrow. Repeating the signup of an organization ` +
        'that you own is not limited.',
      {
        headers: { 'retry-after': String(midnight) },
      },
    );
  }
  const trialEndsAt = await provision(tx, what.request, ports.provisioning);
  const facts = {
    tenant: tx.context.tenant,
    name: what.request.organizationName,
    tier: 'trial',
    status: 'trialing',
    trialEndsAt,
  };
  const document = JSON.stringify(bootstrapDocument(facts, ports.addresses));
  await keepSignup(tx, { ...what, created: true, document });
  return { document, replayed: false };
}
