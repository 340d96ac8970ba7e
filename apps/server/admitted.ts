import type { Guard, Route } from '@steward/contract';
import type { AdmitField } from '@steward/graphql';
import type { Admitted } from '@steward/identity';
import type { Effect } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { requireLetIn, type Admission, type StandingSource, type ToolsComponent } from '@steward/tools';

type Admissions = Pick<ToolsComponent, 'admission'>;

/** Tells of a refusal before the answer leaves, and throws it. `what`: the door's own name for what was asked. */
type Refused = (context: TenantContext, what: string, cause: unknown) => Promise<never>;

const judged = ['insufficient_scope', 'insufficient_role', 'not_entitled', 'tool_denied'];
const awaiting = ['approval_required', 'not_human', 'client_not_approver', 'login_too_old', 'conflict'];

const doings = new WeakMap<TenantContext, Effect>();

/** The tool whose work a context was last admitted to, by another door than the tool endpoint. */
export function doing(context: TenantContext): string | undefined {
  const effect = doings.get(context);
  return typeof effect === 'string' ? effect : undefined;
}

/** Routes whose guard admits to what they do as well, before the body is read: as the tool endpoint judges, so do they. */
export const admitting = (routes: readonly Route[], { admission }: Admissions, refused: Refused): readonly Route[] =>
  routes.map((route) => {
    const admit = admission(route.does, route.method === 'GET' ? 'read' : 'write');
    // Without a tenant there is nothing yet that was decided about an agent.
    if (admit === undefined || route.guard.security !== 'tenant') return route;
    const { guard, does, method, path } = route;
    const waits = method === 'GET' || typeof does !== 'string' ? [] : awaiting;
    return {
      ...route,
      guard: {
        ...guard,
        errors: [
          ...guard.errors,
          ...(does === 'for_people' ? ['not_human', 'insufficient_scope'] : [...judged, ...waits]),
        ],
        admit: async (request) => {
          const admitted = await guard.admit(request);
          const { context } = admitted as Partial<Admitted>;
          if (context !== undefined) {
            doings.set(context, route.does);
            await admitOr(admit, refused, context, `${method} ${path}`);
          }
          return admitted;
        },
      },
    };
  });

/** The same for the fields of the graph. */
export const admittingFields =
  ({ admission }: Admissions, refused: Refused): AdmitField =>
  (effect, field) => {
    const admit = admission(effect);
    return admit === undefined
      ? undefined
      : ({ tenant }) => {
          if (field.startsWith('Mutation.')) doings.set(tenant, effect);
          return admitOr(admit, refused, tenant, field);
        };
  };

/** Not a promise where nothing is waited for. */
function admitOr(admit: Admission, refused: Refused, context: TenantContext, what: string): void | Promise<void> {
  try {
    const admitted = admit(context);
    if (admitted instanceof Promise) return admitted.catch(async (cause: unknown) => refused(context, what, cause));
  } catch (cause) {
    return refused(context, what, cause);
  }
}

/** A guard that agents do not pass who were shut out: for a door behind which not everything is a field that says what it does. */
export const lettingIn = (guard: Guard<Admitted>, standing: StandingSource): Guard<Admitted> => ({
  ...guard,
  admit: async (request) => {
    const admitted = await guard.admit(request);
    await requireLetIn(admitted.caller, admitted.context.tenant, standing);
    return admitted;
  },
});
