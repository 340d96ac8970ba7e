import type { Audit } from '@steward/audit';
import type { Route } from '@steward/contract';
import { Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';

/** What a member may not do: their role forbids it, or a machine or an agent came where a person must. */
const denials = new Set(['insufficient_role', 'not_human', 'insufficient_scope', 'client_not_approver']);

/** Routes whose refusals of a member stand in the tenant's audit log before the answer leaves (contracts §6). */
export function recordingDenials(routes: readonly Route[], record: Audit['recordDenied']): readonly Route[] {
  return routes.map((route) => ({
    ...route,
    handle: async (input) => {
      try {
        return await route.handle(input);
      } catch (error) {
        const context = contextOf(input.guard);
        if (error instanceof Problem && denials.has(error.code) && context !== undefined) {
          await record(context, { tool: `${route.method} ${route.path}`, code: error.code, surface: 'rest' });
        }
        throw error;
      }
    },
  }));
}

function contextOf(guard: unknown): TenantContext | undefined {
  if (typeof guard !== 'object' || guard === null || !('context' in guard)) return undefined;
  return guard.context as TenantContext;
}
