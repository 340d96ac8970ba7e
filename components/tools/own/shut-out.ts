import { type AccessProfile, isShutOut } from '@steward/access';

export const shutOutWords =
  'This agent has no tools in the organization: it was shut out, or has no grant. An owner can let it in with a grant.';

/** The message to an agent that an organization leaves no tool, or whose tier lets nobody write. */
export const warningOf = (held: AccessProfile | undefined): { readonly warning?: string } =>
  isShutOut(held)
    ? { warning: shutOutWords }
    : held !== undefined && !held.entitlements.has('write')
      ? {
          warning:
            `The organization's billing tier (${held.billingTier ?? 'none'}) does not allow changes, so tools that change ` +
            'something are not listed and every door refuses them. An owner can ask the operator to change the tier.',
        }
      : {};
