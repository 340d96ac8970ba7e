import { callerOf, type Caller } from '@steward/identity';
import { fail, roles, type Effect, type Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { andThen, type Eventually } from '../call/eventually.ts';
import { awaitsPeople } from '../call/propose.ts';
import type { ToolsDeps } from '../catalogue/ports.ts';
import type { StandingSource, TenantStanding } from '../catalogue/standing.ts';
import { pillars, type Tool } from '../catalogue/tool.ts';
import { addressOf, type View } from '../catalogue/view.ts';
import { errors } from '../errors.ts';
import { type Offered, roleAdmits, scopesAdmit, visible } from './visible.ts';

/**
 * Lets the caller behind a context do what a request does, or says why not.
 * @throws Problem `insufficient_scope`, `insufficient_role`, `not_entitled`, `tool_denied`, `approval_required`, `tenant_forbidden`,
 *   `not_human` (403); for a person what deciding about an action throws
 */
export type Admission = (context: TenantContext) => Eventually<void>;

/** `tier`: of what people alone do, whether it reads or writes. */
export type Admissions = (effect: Effect, tier?: 'read' | 'write') => Admission | undefined;

/**
 * How other doors admit: agents, and machines, by what decides which tools they see; people by their role, which their
 * verbs see to, by the billing tier, which is the tenant's and so everybody's, and by scopes where their token names any of tools. What awaits approval is proposed by agents over the tool endpoint, and done at once by people who could
 * approve it. Answers undefined for what everyone may do. @throws TypeError for a tool that there is not
 */
export function createAdmissions(
  catalogue: readonly Tool[],
  { standing, approvals, addresses }: Pick<ToolsDeps, 'standing' | 'approvals' | 'addresses'>,
): Admissions {
  const byName = new Map(catalogue.map((tool) => [tool.name, tool]));

  const inPerson = (context: TenantContext, caller: Caller, command: Tool): Eventually<void> =>
    andThen(awaitsPeople(approvals, caller, context.tenant, command), (waits) =>
      waits ? approvals?.alone(context, caller, command) : undefined,
    );

  const asProposed = (context: TenantContext, caller: Caller, command: Tool): Eventually<void> =>
    andThen(awaitsPeople(approvals, caller, context.tenant, command), (waits) => {
      if (!waits) return;
      const { name } = command;
      const endpoint = `${addresses.mcp}${addressOf(command)}`;
      const detail = `This waits for a person: propose it with the tool ${name} at ${endpoint}.`;
      throw errors('approval_required', detail, { members: { tool: name } });
    });

  const asPublic = (effect: Effect, tier: 'read' | 'write'): Admission | undefined => {
    if (effect === 'for_people') {
      return (context) => {
        const caller = callerOf(context);
        if (caller === undefined) return undefined;
        if (isBound(caller)) throw fail('not_human', 'An agent cannot do this; the person must.');
        requireTier(caller, tier);
        return letIn(caller, context.tenant, standing);
      };
    }
    const tool = typeof effect === 'string' ? byName.get(effect) : undefined;
    const judged = typeof effect === 'string' ? tool : deedOf(effect);
    if (judged === undefined || !judged.surfaces.includes('public'))
      throw new TypeError(`${JSON.stringify(effect)}: there is no such tool, or none that agents may call`);
    if (judged.kind === 'bootstrap') return undefined;
    const command = tool?.kind === 'command' ? tool : undefined;
    return (context) => {
      const caller = callerOf(context);
      if (caller === undefined) return undefined;
      if (!isBound(caller)) {
        if (caller.namesToolScopes && !scopesAdmit(judged, caller.scopes, 'public')) throw insufficientScope(judged);
        return andThen(letIn(caller, context.tenant, standing), () =>
          andThen(caller.service ? undefined : standing(caller, context.tenant), (held) => {
            if (held !== undefined && !entitled(judged, held)) throw notEntitled(judged, held);
            return command === undefined ? undefined : inPerson(context, caller, command);
          }),
        );
      }
      return andThen(standing(caller, context.tenant), (held) => {
        // Who is no member is refused by the verb, which asks the database.
        if (held === undefined) return undefined;
        const refusal = refusalOf(judged, caller, held, addresses.mcp);
        if (refusal !== undefined) throw refusal;
        return command === undefined ? undefined : asProposed(context, caller, command);
      });
    };
  };

  return (effect, tier = 'write') => {
    if (effect === 'for_anyone') return undefined;
    const admit = asPublic(effect, tier);
    const services = typeof effect === 'object' && effect.services === true;
    if (admit === undefined || services) return admit;
    return (context) => {
      if (callerOf(context)?.service === true) throw confined();
      return admit(context);
    };
  };
}

const confined = (): Problem =>
  fail(
    'insufficient_role',
    'A service token of the platform ingests audit events here and does nothing else: what it may do is on the internal listener.',
  );

/** People act in person, and the platform's own services for nobody; all others are held to what the tenant allows them. */
const isBound = ({ principal, service }: Caller): boolean => principal.type !== 'user' && !service;

/**
 * @throws Problem `tenant_forbidden` (403) for an agent that was shut out, or that nobody has granted anything where each
 *   agent needs a grant; for a person whose token is of a client that was shut out by name
 */
export async function requireLetIn(caller: Caller, tenant: string, standing: StandingSource): Promise<void> {
  await letIn(caller, tenant, standing);
}

function letIn(caller: Caller, tenant: string, standing: StandingSource): Eventually<void> {
  if (caller.service || caller.agentId === undefined) return undefined;
  return andThen(standing(caller, tenant), (held) => {
    if (isBound(caller) ? isShutOut(held) : held?.grant?.revoked === true) throw shutOut();
  });
}

/** Nothing is left to it, though the person it acts for is a member. */
export const isShutOut = (held: TenantStanding | undefined): boolean => held?.grant?.tools?.length === 0;
const shutOut = (): Problem =>
  fail('tenant_forbidden', 'This agent was shut out of the tenant, or was never granted anything.');

/** Why what decides about tools keeps a caller from one, or from what no tool does; undefined where it does not. */
function refusalOf(judged: Offered, caller: Caller, held: TenantStanding, endpoint: string): Problem | undefined {
  const { name, pillar, area } = judged;
  const view = area === undefined ? pillar : (`${pillar}/${area}` as View);
  const scopes = scopesOf(caller);
  // A grant speaks of tools: what no tool does is left to agents of whom it says nothing.
  const spoken = name !== '' || Object.keys(held.grant ?? {}).length === 0;
  if (spoken && visible(judged, { surface: 'public', view, scopes, standing: held })) return undefined;
  if (isShutOut(held)) return shutOut();
  const what = whatOf(judged);
  if (!roleAdmits(judged, held, 'public'))
    return fail('insufficient_role', `The role ${held.role} does not permit ${what}.`);
  if (!scopesAdmit(judged, scopes, 'public')) return insufficientScope(judged);
  if (!entitled(judged, held)) return notEntitled(judged, held);
  return errors(
    'tool_denied',
    `The agent's grant, or the tenant's tool policy or persona, leaves out ${what}: ${endpoint}/manifest shows what is left.`,
  );
}

const whatOf = ({ name, tier }: Offered): string =>
  name === '' ? `${tier === 'read' ? 'reading' : 'writing'} this` : `the tool ${name}`;

const entitled = ({ requires }: Offered, { entitlements }: TenantStanding): boolean =>
  entitlements.has(requires.entitlement);

/** The tier is the tenant's: it holds people as well as what acts for them. */
const notEntitled = (judged: Offered, { billingTier = 'of the organization' }: TenantStanding): Problem =>
  errors(
    'not_entitled',
    `The billing tier ${billingTier} does not include ${whatOf(judged)}. What is there stays readable; an owner has the operator change the tier.`,
  );

const insufficientScope = ({ tier, pillar }: Pick<Offered, 'tier' | 'pillar'>): Problem =>
  lacking(tier, `and mcp:${pillar} where the token names any pillar`);

/** What people alone do is of no pillar: a token that names some opens none of it. */
function requireTier({ scopes, namesToolScopes }: Caller, tier: 'read' | 'write'): void {
  const pillar = pillars.some((one) => scopes.has(`mcp:${one}`));
  if (namesToolScopes && (pillar || !scopes.has(`mcp:${tier}`)))
    throw lacking(tier, 'and a token that names no pillar, or none of the scopes mcp:…');
}

function lacking(tier: Offered['tier'], also: string): Problem {
  const scope = tier === 'read' ? 'mcp:read' : 'mcp:write';
  const headers = { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
  return fail('insufficient_scope', `It takes the scope ${scope}, ${also}.`, { headers });
}

const everyTier: Caller['scopes'] = new Set(['mcp:read', 'mcp:write']);
const assistantScopes = ['mcp:read', 'mcp:write', ...pillars.map((pillar) => `mcp:${pillar}`)];

/** Of a machine that is a member itself, a token that says nothing of tools is no assistant's: it is not narrowed by them. */
function scopesOf({ principal, scopes }: Caller): Caller['scopes'] {
  return principal.type === 'service' && !assistantScopes.some((scope) => scopes.has(scope)) ? everyTier : scopes;
}

/** What no tool does, as if one without a name did. */
function deedOf({ pillar, tier }: Exclude<Effect, string>): Offered {
  const known = pillars.find((one) => one === pillar);
  if (known === undefined) throw new TypeError(`${pillar} is no pillar`);
  const kind = tier === 'read' ? 'query' : 'command';
  const requires = { roles, entitlement: tier };
  return { name: '', pillar: known, kind, tier, core: false, surfaces: ['public'], requires, personas: [] };
}
