import { createIdentity, type Identity, type IdentityDeps } from './identity.ts';

export const name = 'identity';
export { identityNouns as nouns } from './nouns.ts';
export { identitySettings as settings } from './settings.ts';
export type { IdentitySettings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);

export { errors } from './errors.ts';
export { openTenant, openToDecide } from './membership/open-tenant.ts';
export { departures, memberOrigins, memberRows, memberStates, memberTimes, roleOrigins } from './membership/rows.ts';
export type { Member } from './membership/member.ts';
export type { Origin } from './membership/origins.ts';
export type { MemberPage } from './membership/list.ts';
export { selectMembersSaying } from './membership/find.ts';
export type { Suspended } from './membership/suspend.ts';
export type { Person, People } from './person/people.ts';
export { createIdentity, type Identity, type IdentityDeps, type Memberships } from './identity.ts';
export { announce as announceAccessChange } from './access-cache/changed.ts';
export { requireOneCredential } from './guard/credentials.ts';
export { type Admitted } from './guard/guards.ts';
export { agreedTenant, asAgent, clientOf, type RequestIds } from './guard/tenant.ts';
export {
  integration,
  integrationKinds,
  listingOf,
  machines,
  readIntegration,
  type Integration,
  type IntegrationKind,
  type Integrations,
  type Makers,
} from './integrations/integration.ts';
export {
  closeClients,
  holdClients,
  knownToLeft,
  madeAs,
  madeBy,
  makerIn,
  makerOf,
  makerSha256,
  type Maker,
} from './integrations/maker.ts';
export { renderChallenge, type Challenge } from './token/challenge.ts';
export { principalId } from './token/principal-id.ts';
export { makeServiceToken } from './token/service.ts';
export type { Cached } from './access-cache/cache.ts';

export interface IdentityPorts extends Omit<IdentityDeps, 'config'> {
  readonly config: Omit<IdentityDeps['config'], 'dataDir'>;
  readonly dataDir: string;
}

export const create = ({ config, dataDir, ...ports }: IdentityPorts): Identity =>
  createIdentity({ ...ports, config: { ...config, dataDir } });
