import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import type { StandingSource } from '@steward/tools';

const refuseNarrowed = async (admitted: Partial<Admitted>, standing: StandingSource): Promise<void> => {
  const { caller, context } = admitted;
  if (caller?.principal.type !== 'agent' || context === undefined) return;
  const grant = (await standing(caller, context.tenant))?.grant;
  if (grant !== undefined && Object.keys(grant).length > 0) {
    throw fail('tenant_forbidden', 'What this agent may do was narrowed or revoked: its tools are all it has.');
  }
};

/**
 * Members' routes, closed to agents whose grant was narrowed or revoked: a grant speaks of tools, so what is left of it
 * counts there alone. Agents without a grant act with their person's consent, as everywhere.
 */
export const heedingGrants = (routes: readonly Route[], standing: StandingSource): readonly Route[] =>
  routes.map((route) => ({
    ...route,
    handle: async (input) => {
      await refuseNarrowed((input.guard ?? {}) as Partial<Admitted>, standing);
      return route.handle(input);
    },
  }));

/** The same for a door that has no routes. */
export const guardHeedingGrants = (guard: Guard<Admitted>, standing: StandingSource): Guard<Admitted> => ({
  ...guard,
  admit: async (request) => {
    const admitted = await guard.admit(request);
    await refuseNarrowed(admitted, standing);
    return admitted;
  },
});
