import type { TenantStanding } from '../catalogue/standing.ts';
import { isShutOut } from '../visibility/admission.ts';

/** What an agent is told to which an organization leaves nothing. */
export const warningOf = (held: TenantStanding | undefined): { readonly warning?: string } =>
  isShutOut(held)
    ? {
        warning:
          'This agent was shut out of the organization, or was never granted anything there: it has no tools in it. ' +
          'An owner lets it in by a grant.',
      }
    : {};
