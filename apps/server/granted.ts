import type { Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import type { StandingSource } from '@steward/tools';

/**
 * Members' routes, closed to agents whose grant was narrowed or revoked: a grant speaks of tools, so what is left of it
 * counts there alone. Agents without a grant act with their person's consent, as everywhere.
 */
export function heedingGrants(routes: readonly Route[], standing: StandingSource): readonly Route[] {
  return routes.map((route) => ({
    ...route,
    handle: async (input) => {
      const { caller, context } = (input.guard ?? {}) as Partial<Admitted>;
      if (caller?.principal.type === 'agent' && context !== undefined) {
        const grant = (await standing(caller, context.tenant))?.grant;
        if (grant !== undefined && Object.keys(grant).length > 0) {
          throw fail('tenant_forbidden', 'What this agent may do was narrowed or revoked: its tools are all it has.');
        }
      }
      return route.handle(input);
    },
  }));
}
