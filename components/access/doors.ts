import type { Guard, Route } from '@steward/contract';
import type { AdmitField } from '@steward/graphql';
import { Problem, type Effect, type Request } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { Authorize, Authorizer } from './authorizer.ts';
import type { Caller } from './caller.ts';
import { askAgain, type Ask } from './decision.ts';

/** A member's call that was refused, by the door's own name for what was asked. */
export interface Denial {
  readonly tool: string;
  readonly code: string;
  readonly surface: 'rest' | 'graphql';
}

export interface DoorPorts {
  readonly authorizer: Authorizer;
  /** Puts a refusal of a member into the tenant's audit log (contracts §6); awaited before the answer leaves. */
  readonly recordDenied: (context: TenantContext, denial: Denial) => Promise<void>;
}

/** A guard's answer for a request that names a tenant. */
interface Admitted {
  readonly caller: Caller;
  readonly context: TenantContext;
}

const judged = ['insufficient_scope', 'insufficient_role', 'not_entitled', 'tool_denied'];
const awaiting = ['approval_required', 'not_human', 'client_not_approver', 'login_too_old'];

/** What a member may not do: their role or what was left to their agent forbids it, or a machine came where a person must. */
const denials = new Set([...judged, 'not_human', 'client_not_approver', 'own_client', 'approval_required']);

const effects = new WeakMap<TenantContext, Effect>();

/** The tool whose work a context was last admitted to, by another door than the tool endpoint. */
export function toolOf(context: TenantContext): string | undefined {
  const effect = effects.get(context);
  return typeof effect === 'string' ? effect : undefined;
}

/** Routes that authorize what they do after their guard, before the body is read, and record each refusal of a member. */
export const authorizedRoutes = (routes: readonly Route[], ports: DoorPorts): readonly Route[] =>
  routes.map((route) => recorded(authorized(route, ports), ports));

function authorized(route: Route, ports: DoorPorts): Route {
  const authorize = ports.authorizer.to(route.does, route.method === 'GET' ? 'read' : 'write');
  // Without a tenant there is nothing yet that was decided about an agent.
  if (authorize === undefined || route.guard.security !== 'tenant') return route;
  const { guard, does, method } = route;
  const ask = asking(authorize, refusing(ports, 'rest', nameOf(route)));
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
          effects.set(context, does);
          await proposable(route, request, async () => decide(context, ask));
        }
        return admitted;
      },
    },
  };
}

function recorded(route: Route, ports: DoorPorts): Route {
  const refused = refusing(ports, 'rest', nameOf(route));
  return {
    ...route,
    handle: async (input) => {
      try {
        return await proposable(route, input.request, async () => route.handle(input));
      } catch (error) {
        const { context } = (input.guard ?? {}) as Partial<Admitted>;
        if (context === undefined) throw error;
        return refused(context, error);
      }
    },
  };
}

/** Where it is refused with the tool to propose it by, tells what the address says of its arguments. */
async function proposable<T>({ proposes }: Route, request: Request, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || proposes === undefined || typeof error.members['tool'] !== 'string') throw error;
    const { code, status, title, detail, headers, members } = error;
    const named = proposes(request.params as Readonly<Record<string, string>>);
    const shown = new Problem(code, status, title, detail, {
      headers,
      members: { ...members, arguments: named },
      cause: error,
    });
    if (told.has(error)) told.add(shown);
    throw shown;
  }
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** The same for the fields of the graph. */
export const authorizedFields =
  (ports: DoorPorts): AdmitField =>
  (effect, field) => {
    const authorize = ports.authorizer.to(effect);
    if (authorize === undefined) return undefined;
    const ask = asking(authorize, refusing(ports, 'graphql', field));
    return ({ tenant }) => {
      if (field.startsWith('Mutation.')) effects.set(tenant, effect);
      return decide(tenant, ask);
    };
  };

/** Records a refusal before the answer leaves, and throws it. */
type Refused = (context: TenantContext, cause: unknown) => Promise<never>;

/** Refusals that are in the audit log: the same one may be thrown through several places that would record it. */
const told = new WeakSet<Problem>();

const refusing =
  ({ recordDenied }: DoorPorts, surface: Denial['surface'], tool: string): Refused =>
  async (context, cause) => {
    if (cause instanceof Problem && denials.has(cause.code) && !told.has(cause)) {
      told.add(cause);
      await recordDenied(context, { tool, code: cause.code, surface });
    }
    throw cause;
  };

/** Not a promise where nothing is waited for. */
const asking =
  (authorize: Authorize, refused: Refused): Ask =>
  (context) => {
    try {
      const authorizing = authorize(context);
      if (authorizing instanceof Promise) return authorizing.catch(async (cause: unknown) => refused(context, cause));
    } catch (cause) {
      return refused(context, cause);
    }
  };

/** Now, and once more where access changes before the context enters its tenant. */
function decide(context: TenantContext, ask: Ask): ReturnType<Ask> {
  askAgain(context, ask);
  return ask(context);
}

/** A guard that agents do not pass who were shut out: for a door behind which not everything is a field that says what it does. */
export const lettingIn = (guard: Guard<Admitted>, { letIn }: Authorizer): Guard<Admitted> => ({
  ...guard,
  admit: async (request) => {
    const admitted = await guard.admit(request);
    await decide(admitted.context, letIn);
    return admitted;
  },
});
