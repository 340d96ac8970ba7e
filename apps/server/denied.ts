import type { Audit } from '@steward/audit';
import type { Route } from '@steward/contract';
import { Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';

/** What a member may not do: their role or what was left to their agent forbids it, or a machine came where a person must. */
const denials = new Set([
  'insufficient_role',
  'not_human',
  'insufficient_scope',
  'client_not_approver',
  'own_client',
  'tool_denied',
  'not_entitled',
  'approval_required',
]);

/** Puts a refusal of a member into the tenant's audit log (contracts §6). `tool`: what was called, by the door's own name. */
export const denialRecorder =
  (record: Audit['recordDenied'], surface: 'rest' | 'graphql') =>
  async (context: TenantContext, tool: string, cause: unknown): Promise<never> => {
    if (cause instanceof Problem && denials.has(cause.code)) await record(context, { tool, code: cause.code, surface });
    throw cause;
  };

/** Routes whose refusals of a member are recorded before the answer leaves. */
export function recordingDenials(routes: readonly Route[], record: Audit['recordDenied']): readonly Route[] {
  const refused = denialRecorder(record, 'rest');
  return routes.map((route) => ({
    ...route,
    handle: async (input) => {
      try {
        return await route.handle(input);
      } catch (error) {
        const context = contextOf(input.guard);
        if (context === undefined) throw error;
        return refused(context, `${route.method} ${route.path}`, error);
      }
    },
  }));
}

function contextOf(guard: unknown): TenantContext | undefined {
  if (typeof guard !== 'object' || guard === null || !('context' in guard)) return undefined;
  return guard.context as TenantContext;
}
