import { fail, type Effect, type Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { callerOf, isBound, type Caller } from './caller.ts';
import { errors } from './errors.ts';
import { judgedBy } from './decision.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';
import { pillars, type Operation } from './operation.ts';
import { permit } from './permission.ts';
import {
  entitles,
  insufficientScope,
  isBoundUnder,
  isOnlyProposed,
  isShutOut,
  notEntitled,
  presentRefusal,
  refusalOf,
  requireTier,
  scopesAdmit,
  shutOut,
} from './refusal.ts';
import { everyone } from './roles.ts';
import type { AccessProfile, ReadAccessProfile } from './access-profile.ts';

/**
 * Lets the caller behind a context do what a request does, or says why not.
 * @throws Problem `insufficient_scope`, `insufficient_role`, `not_entitled`, `tool_denied`, `approval_required`, `tenant_forbidden`,
 *   `not_human` (403); for a person what deciding about an action throws
 */
export type Authorize = (context: TenantContext) => MaybePromise<void>;

/** Operations that take effect only once people have approved. */
export interface Approving {
  /** Whether the tenant's policy makes an operation wait that by its own tier would not. Not a promise when known. */
  gated(context: TenantContext, caller: Caller, operation: Operation): MaybePromise<boolean>;
  /**
   * Whether this caller may do at once, by another door, what an operation asks approval for: a person who could approve it
   * as well, where the tenant's policy has neither two people nor a limit for it.
   * @throws Problem that says what is missing, as deciding does; `approval_required` that names the tool to propose it with
   */
  alone(context: TenantContext, caller: Caller, operation: Operation): Promise<void>;
}

export interface AuthorizerPorts {
  /** Every tool there is. */
  readonly operations: readonly Operation[];
  readonly accessProfile: ReadAccessProfile;
  /** Without it nothing waits for people. */
  readonly approvals: Approving | undefined;
  /** The tool endpoint. */
  readonly mcp: string;
  /** The endpoint, or an address below it, that lists a tool. */
  readonly endpointOf: (tool: string) => string;
}

export interface Authorizer {
  /**
   * What admits to the work of a route or a field: agents, and machines, by the decision behind the list of tools; people by
   * their role, which verbs see to, by the billing tier, which is the tenant's and so everybody's, and by scopes where their
   * token names any of tools. What awaits approval is proposed by agents over the tool endpoint, and done at once by people
   * who could approve it. Undefined for what everyone may do.
   * @param tier of what people alone do, whether it reads or writes
   * @throws TypeError for a tool that there is not, or that no agent can call
   */
  to(effect: Effect, tier?: 'read' | 'write'): Authorize | undefined;
  /**
   * @throws Problem `tenant_forbidden` (403) for an agent that was shut out, or that nobody has granted anything where each
   *   agent needs a grant; for a person whose token is of a client that was shut out by name
   */
  letIn(context: TenantContext): MaybePromise<void>;
}

/**
 * Whether an operation must not take effect before people have approved: by its own tier, by the agent's grant, or by the tenant's policy.
 * @param grant of the agent that calls
 */
export const awaitsPeople = (
  approvals: Pick<Approving, 'gated'> | undefined,
  context: TenantContext,
  caller: Caller,
  operation: Operation,
  grant?: AccessProfile['grant'],
): MaybePromise<boolean> =>
  operation.kind === 'command' &&
  (operation.tier === 'approval' ||
    isOnlyProposed(operation, grant) ||
    (approvals?.gated(context, caller, operation) ?? false));

/** The one place where doors that are no tool endpoint ask whether a caller may do what they do. */
export function createAuthorizer({
  operations,
  accessProfile,
  approvals,
  mcp,
  endpointOf,
}: AuthorizerPorts): Authorizer {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));

  const profileOf = (context: TenantContext, caller: Caller): ReturnType<ReadAccessProfile> =>
    andThen(accessProfile(caller, context.tenant), (held) => {
      judgedBy(context, held);
      return held;
    });

  const letIn = (context: TenantContext): MaybePromise<void> => {
    const caller = callerOf(context);
    if (caller === undefined || caller.service || caller.agentId === undefined) return undefined;
    return andThen(profileOf(context, caller), (held) => {
      if (isOut(caller, held)) throw shutOut();
    });
  };

  const forPeople =
    (tier: 'read' | 'write'): Authorize =>
    (context) => {
      const caller = callerOf(context);
      if (caller === undefined) return undefined;
      if (isBound(caller)) throw fail('not_human', 'An agent cannot do this: the person must do it.');
      requireTier(caller, tier);
      if (caller.service) return undefined;
      return andThen(profileOf(context, caller), (held) => {
        if (isOut(caller, held)) throw shutOut();
        if (isBoundUnder(caller, held)) throw actsAsAgent(caller);
      });
    };

  const ofPerson = (
    context: TenantContext,
    caller: Caller,
    operation: Operation,
    held: AccessProfile | undefined,
  ): MaybePromise<void> => {
    if (caller.namesToolScopes && !scopesAdmit(operation, caller.scopes, 'public')) throw insufficientScope(operation);
    if (isOut(caller, held)) throw shutOut();
    if (held !== undefined && !entitles(operation, held)) throw notEntitled(operation, held);
    if (operation.name === '') return undefined;
    return andThen(awaitsPeople(approvals, context, caller, operation), (waits) =>
      waits ? approvals?.alone(context, caller, operation) : undefined,
    );
  };

  const ofAgent = (
    context: TenantContext,
    caller: Caller,
    operation: Operation,
    held: AccessProfile | undefined,
  ): MaybePromise<void> => {
    // Who is no member is refused by the verb, which asks the database.
    if (held === undefined) return undefined;
    const refusal = refusalOf(operation, { surface: 'public', scopes: scopesOf(caller), profile: held });
    if (refusal !== undefined) throw presentRefusal(refusal, operation, held, mcp);
    if (operation.name === '') return undefined;
    return andThen(awaitsPeople(approvals, context, caller, operation, held.grant), (waits) => {
      if (!waits) return;
      const { name } = operation;
      const detail = `This needs a person’s approval: propose it with the tool ${name} at ${endpointOf(name)}.`;
      throw errors('approval_required', detail, { members: { tool: name } });
    });
  };

  const authorize = (effect: Exclude<Effect, 'for_anyone'>, tier: 'read' | 'write'): Authorize | undefined => {
    if (effect === 'for_people') return forPeople(tier);
    const operation = typeof effect === 'string' ? byName.get(effect) : withoutTool(effect);
    if (operation === undefined || !operation.surfaces.includes('public'))
      throw new TypeError(`${JSON.stringify(effect)}: there is no such tool, or none that agents may call`);
    if (operation.kind === 'bootstrap') return undefined;
    return (context) => {
      const caller = callerOf(context);
      if (caller === undefined) return undefined;
      if (caller.service) return ofPerson(context, caller, operation, undefined);
      return andThen(profileOf(context, caller), (held) =>
        (isBoundUnder(caller, held) ? ofAgent : ofPerson)(context, caller, operation, held),
      );
    };
  };

  return {
    letIn,
    to: (effect, tier = 'write') => {
      if (effect === 'for_anyone') return undefined;
      const ask = authorize(effect, tier);
      if (ask === undefined || (typeof effect === 'object' && effect.services === true)) return ask;
      return (context) => {
        if (callerOf(context)?.service === true) throw confined();
        return ask(context);
      };
    },
  };
}

const confined = (): Problem =>
  fail(
    'insufficient_role',
    'On this listener a service token of the platform may only ingest audit events: use the internal listener for ' +
      'everything else.',
  );

const everyTier: Caller['scopes'] = new Set(['mcp:read', 'mcp:write']);
const assistantScopes = [...everyTier, ...pillars.map((pillar) => `mcp:${pillar}`)];

/** Nobody lets them in by any door: an agent to which nothing is left, or a person through a client that was shut out by name. */
const isOut = (caller: Caller, held: AccessProfile | undefined): boolean =>
  isBoundUnder(caller, held) ? isShutOut(held) : held?.grant?.revoked === true;

const actsAsAgent = ({ agentId = '' }: Caller): Problem =>
  fail(
    'not_human',
    `The organization limits the client ${agentId} by a grant, so its tokens act as an agent, which cannot do this: use ` +
      'another client, such as the console.',
  );

/**
 * Whether a caller may read what an operation reads, by whichever door: agents by the decision behind the list of tools, people by role, tier
 * and scopes. What no tool does is for people alone.
 */
export function mayRead(operation: Operation, caller: Caller, held: AccessProfile): boolean {
  if (!caller.service && isOut(caller, held)) return false;
  if (isBoundUnder(caller, held)) {
    const viewer = { surface: 'public', scopes: scopesOf(caller), profile: held } as const;
    return operation.name !== '' && refusalOf(operation, viewer) === undefined;
  }
  const scoped = caller.service || !caller.namesToolScopes || scopesAdmit(operation, caller.scopes, 'public');
  return operation.requires.roles.has(held.role) && entitles(operation, held) && scoped;
}

/** Of a machine that is a member itself, a token that says nothing of tools is no assistant's: it is not narrowed by them. */
function scopesOf({ principal, scopes }: Caller): Caller['scopes'] {
  return principal.type === 'service' && !assistantScopes.some((scope) => scopes.has(scope)) ? everyTier : scopes;
}

/** A person's own scopes, where the token names any of tools; else no scope narrows what a person asks for. */
export const personalScopes = ({ namesToolScopes, scopes }: Caller): Caller['scopes'] =>
  namesToolScopes ? scopes : everyTier;

const readingOf = permit('pillar.read', everyone, 'read');
const writingOf = permit('pillar.write', everyone, 'write');

/** What no tool does: any role may, as far as this goes, and the verb says which. */
function withoutTool({ pillar, tier }: Exclude<Effect, string>): Operation {
  const known = pillars.find((one) => one === pillar);
  if (known === undefined) throw new TypeError(`${pillar} is no pillar`);
  return {
    name: '',
    pillar: known,
    kind: tier === 'read' ? 'query' : 'command',
    tier,
    surfaces: ['public'],
    requires: tier === 'read' ? readingOf : writingOf,
    personas: [],
  };
}
