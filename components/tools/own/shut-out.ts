import { type AccessProfile, isShutOut } from '@steward/access';

/** What an agent is told to which an organization leaves nothing, or where its tier lets nobody write. */
export const warningOf = (held: AccessProfile | undefined): { readonly warning?: string } =>
  isShutOut(held)
    ? {
        warning:
          'This agent was shut out of the organization, or was never granted anything there: it has no tools in it. ' +
          'An owner lets it in by a grant.',
      }
    : held !== undefined && !held.entitlements.has('write')
      ? {
          warning:
            `The organization's billing tier (${held.billingTier ?? 'none'}) lets nobody write: tools that change something are left out, by every door, ` +
            'until an owner has the operator change the tier.',
        }
      : {};
