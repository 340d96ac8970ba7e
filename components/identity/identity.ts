import { AccessDecision, type Caller, type Role } from '@steward/access';
import type { Guard } from '@steward/contract';
import type { Addresses, Clock, Log, PrincipalRef } from '@steward/kernel';
import type { SqlPool, Tenancy, TenantContext, TenantScope, TenantTransaction } from '@steward/sql';
import { createGuards, type Admitted } from './guard/guards.ts';
import { contextFor, type RequestIds } from './guard/tenant.ts';
import { listMembers, type MemberPage } from './membership/list.ts';
import { type Origin, originsOf } from './membership/origins.ts';
import type { IdentitySettings } from './settings.ts';
import type { Member } from './membership/member.ts';
import { leftAmong, membersAmong } from './membership/mailed.ts';
import { principalNames } from './membership/named.ts';
import { removeMember } from './membership/remove.ts';
import { roleOf } from './membership/role-of.ts';
import { setMember } from './membership/set.ts';
import { broughtThrough, restoreMember, suspendThrough, type Brought } from './membership/suspend.ts';
import { suspendedMember } from './membership/suspended.ts';
import { tenantsOf } from './membership/tenants-of.ts';
import { createPeople, type People } from './person/people.ts';
import { readDevelopmentKeys } from './provider/keys.ts';
import { clientNames } from './provider/clients/named.ts';
import { developmentProfile } from './provider/profile.ts';
import { createAccessCache, type Cached } from './access-cache/cache.ts';
import { announce } from './access-cache/changed.ts';
import { createAccessChanges } from './access-cache/feed.ts';
import { createAuthenticator, type AuthenticatorOptions } from './token/authenticate.ts';
import { fetchKeySet } from './token/jwks.ts';

export interface IdentityDeps {
  readonly config: Pick<IdentitySettings, 'issuers' | 'serviceTokens'> & { readonly dataDir: string };
  readonly addresses: Pick<Addresses, 'issuer'>;
  readonly pool: SqlPool;
  readonly tenancy: Tenancy;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Memberships {
  /** Of the scope's tenant; the scope's permission says who may see them. */
  list(scope: Pick<TenantScope, 'read'>, page: MemberPage): Promise<Member[]>;
  /** Where all people came from who are or were members, by their ids. */
  origins(scope: Pick<TenantScope, 'read'>): Promise<ReadonlyMap<string, Origin>>;
  /** @throws Problem `last_owner` (409), `insufficient_role` (403), `invalid_request` (400) */
  set(...given: Parameters<typeof setMember>): Promise<Role | undefined>;
  /** @throws Problem `last_owner` (409), `insufficient_role` (403) */
  remove(tx: TenantTransaction, principal: PrincipalRef): Promise<Role | undefined>;
  /** All that were made members through a client, or by such members, lose their access. @throws Problem `own_origin`, `insufficient_role` (403) */
  suspendThrough(tx: TenantTransaction, client: string): Promise<Brought>;
  /** All whom that would find, also those who are suspended already or members no more. */
  broughtThrough(...given: Parameters<typeof broughtThrough>): ReturnType<typeof broughtThrough>;
  /** @throws Problem `insufficient_role` (403) */
  restore(tx: TenantTransaction, principal: PrincipalRef): Promise<Role | undefined>;
  /** By type and id (`user:alice`): members of the context's tenant, and agents whose client registered a name here. */
  names(context: TenantContext, principals: readonly PrincipalRef[]): Promise<Map<string, string>>;
  /** Those of the addresses, in lower case, that are members' of the transaction's tenant. */
  mailedAmong(...given: Parameters<typeof membersAmong>): ReturnType<typeof membersAmong>;
  leftAmong: typeof leftAmong;
  /** Suspended members do not count as members here, so nothing is sent to somebody who cannot read it. */
  suspended(...given: Parameters<typeof suspendedMember>): ReturnType<typeof suspendedMember>;
  /** Undefined for who is no member of the transaction's tenant, or suspended. */
  roleOf(...given: Parameters<typeof roleOf>): ReturnType<typeof roleOf>;
  tenantsOf(subject: PrincipalRef): Promise<{ tenant: string; role: Role }[]>;
}

export interface Identity {
  /**
   * Reads an `Authorization` header; a token seen before costs no promise. Platform audiences and `audiences` count.
   * @throws Problem `unauthenticated` (401), `unavailable` (503)
   */
  authenticate(authorization: string | undefined, audiences: readonly string[]): Caller | Promise<Caller>;
  bearer(base: string, extraAudiences?: readonly string[]): Guard<Caller>;
  tenant(base: string): Guard<Admitted>;
  person(base: string): Guard<Admitted>;
  /** For doors of their own: the caller (see `asAgent`) in a tenant (see `agreedTenant`). */
  context(caller: Caller, tenant: string, ids: RequestIds): TenantContext;
  /** What is decided about the caller of a context that no door made. @param renew makes the same context, with a decision of its own */
  decision(tenant: string, renew: () => TenantContext): AccessDecision;
  readonly memberships: Memberships;
  readonly people: People;
  /** To be called in the transaction of every change of roles, grants or policy; memberships do so themselves. */
  changed(tx: TenantTransaction): Promise<void>;
  /**
   * Keeps what `load` answers until a change in the tenant, or `validUntil` (milliseconds since the epoch). `load` may
   * depend on the tenant and the caller's `subject` and `agentId` alone; `undefined` is never kept.
   */
  cached<T>(
    load: (caller: Caller, tenant: string) => Promise<T | undefined>,
    validUntil: (value: T) => number,
  ): Cached<T>;
  /** Called where what somebody may do in a tenant, or in all of them, has changed: within a second, wherever it was changed. */
  heed(changed: (tenant: string | undefined) => void): void;
  /** Until started, nothing is cached. */
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function createIdentity(deps: IdentityDeps): Identity {
  const { pool, tenancy, clock, log } = deps;
  const authenticate = createAuthenticator({
    issuers: issuersOf(deps),
    serviceTokens: deps.config.serviceTokens,
    clock,
    log,
  });
  const caches: { forget(tenant: string | undefined): void }[] = [];
  const forget = (tenant: string | undefined): void => caches.forEach((cache) => cache.forget(tenant));
  const feed = createAccessChanges(pool, log, forget);
  const context: Identity['context'] = (caller, tenant, ids) => contextFor(tenancy, forget, caller, tenant, ids);
  const changed = async (tx: TenantTransaction): Promise<void> => announce(tx, forget);
  return {
    authenticate,
    ...createGuards(authenticate, context),
    context,
    decision: (tenant, renew) => new AccessDecision({ forget: () => forget(tenant), renew }),
    memberships: {
      list: listMembers,
      origins: originsOf,
      names: principalNames(clientNames(deps.config)),
      mailedAmong: membersAmong,
      leftAmong,
      suspended: suspendedMember,
      roleOf,
      broughtThrough,
      set: async (tx, principal, role, from) => {
        const before = await setMember(tx, principal, role, from);
        if (before !== role) await changed(tx);
        return before;
      },
      remove: async (tx, principal) => {
        const before = await removeMember(tx, principal);
        if (before !== undefined) await changed(tx);
        return before;
      },
      suspendThrough: async (tx, client) => {
        const brought = await suspendThrough(tx, client);
        if (brought.suspended.length > 0) await changed(tx);
        return brought;
      },
      restore: async (tx, principal) => {
        const role = await restoreMember(tx, principal);
        if (role !== undefined) await changed(tx);
        return role;
      },
      tenantsOf: async (subject) => tenantsOf(pool, subject),
    },
    people: createPeople(pool),
    changed,
    heed: (heeding) => void caches.push({ forget: heeding }),
    cached: (load, validUntil) => {
      const cache = createAccessCache({ load, validUntil, current: () => feed.current(), clock });
      caches.push(cache);
      return cache.get;
    },
    start: async () => feed.start(),
    [Symbol.asyncDispose]: async () => feed.stop(),
  };
}

function issuersOf({ config, addresses }: IdentityDeps): AuthenticatorOptions['issuers'] {
  if (config.issuers.length === 0) {
    const loadKeys = async () => readDevelopmentKeys(config.dataDir);
    return [{ profile: developmentProfile(addresses.issuer), loadKeys }];
  }
  return config.issuers.map((profile) => ({ profile, loadKeys: async () => fetchKeySet(profile.jwksUri) }));
}
