export const name = 'access';
export { errors } from './errors.ts';
export { everyone, roles, type Role, type CallerRole } from './roles.ts';
export { heavily, noTenant, permit, rolesWith, type Permission } from './permission.ts';
export {
  areas,
  pillars,
  tiers,
  type Area,
  type Kind,
  type Operation,
  type Pillar,
  type Surface,
  type Tier,
} from './operation.ts';
export { asItWas, isAsItWas } from './unchanged.ts';
export { isTakesPeople, takesPeople } from './takes-people.ts';
export { operation, type OperationOf } from './verb.ts';
export { restOf } from './rest.ts';
export { attribute, callerOf, requireHuman, type Caller } from './caller.ts';
export type { ReadAccessProfile, AccessProfile } from './access-profile.ts';
export { grantAdmits, isBoundUnder, isShutOut, refusalOf, type Viewer } from './refusal.ts';
export {
  awaitsPeople,
  createAuthorizer,
  mayRead,
  personalScopes,
  type Approving,
  type Authorize,
  type Authorizer,
} from './authorizer.ts';
export { AccessDecision, askAgain, judgedBy } from './decision.ts';
export { afterAll, type Finder, mostLookedThrough, says, type Sought } from './finder.ts';
export { createDecider, type ApproverClient, type Decider } from './decider.ts';
export { authorizedFields, authorizedRoutes, lettingIn, toolOf, type Denial } from './doors.ts';
export { andThen, type MaybePromise } from './maybe-promise.ts';
