import { requireAlone, requireOutflowAlone, requirePeople } from './policy/alone.ts';
import type { Route } from '@steward/contract';
import { openToDecide } from '@steward/identity';
import { andThen, judgedBy, type ApproverClient, type CallerRole } from '@steward/access';
import type { IdentitySettings } from '@steward/identity';
import { Problem, type Addresses, type Deferred, type RecordedEvent, type Scope } from '@steward/kernel';
import type { MailSettings, Owed } from '@steward/mail';
import type { ApprovalsSettings } from './settings.ts';
import type { ApprovalPort, Catalogue, Noun, Tool, Unbound } from '@steward/tools';
import type { Awaits } from './actions/ask.ts';
import { createBinding } from './shown/binding.ts';
import { propose, resume } from './actions/request.ts';
import { requesterOf } from './actions/requester.ts';
import { actionRoutes } from './actions/routes.ts';
import { actionTools } from './actions/tools.ts';
import type { Cause } from './actions/action.ts';
import { names } from './actions/names.ts';
import { withdrawAll, type Asked } from './actions/withdraw-all.ts';
import { endRules } from './rules/end.ts';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import type { Deps } from './deps.ts';
import { approvalPages } from './page/pages.ts';
import { discovering, type SignIn } from './page/sign-in.ts';
import { policyOf, selectPolicy } from './policy/policy.ts';
import { policyRoutes } from './policy/routes.ts';
import { ruleRoutes } from './rules/routes.ts';
import { createSeals } from './seal.ts';
import { writeEmail } from './mail/email.ts';
import { createWorker } from './worker.ts';

export const name = 'approvals';
export { approvalsSettings as settings } from './settings.ts';
export type { ApprovalsSettings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { errors } from './errors.ts';
export { grammar, published } from './events.ts';
export { announcedTo } from './announced-to.ts';
export const tools: readonly Tool<Deps>[] = actionTools;
export { recorded } from './recorded.ts';
export { isAwaited } from './actions/awaited.ts';
export { eraseMentions } from './actions/erase-mentions.ts';
export { signedInAt } from './page/pages.ts';
export type { Called } from './deps.ts';
export type { Language } from './mail/words.ts';

export interface ApprovalsDeps extends Omit<Deps, 'commands' | 'toolNames' | 'binding' | 'seals'> {
  /** Of every component's tools: what is approved is run by it. */
  readonly toolCatalogue: Pick<Catalogue, 'bind' | 'commands' | 'names'>;
  /** Every component's: what ids name, shown and bound to the approval. */
  readonly nouns: readonly Noun[];
  /** Whatever of what is shown no approval binds, with the reasons. */
  readonly unbound: readonly Unbound[];
  /** At least 32 random bytes, the same in every process: seals what decides. */
  readonly secret: Uint8Array;
  /** Clients whose tokens may decide (`APPROVER_CLIENTS`). */
  readonly approverClients: readonly ApproverClient[];
  /** Where people sign in to decide on the page. */
  readonly providers: () => Promise<readonly SignIn[]>;
}

export interface Approvals {
  /** For the portal's mount. */
  readonly routes: readonly Route[];
  /** Likewise: the page that addresses of actions lead to. */
  pages(scope: Scope): void;
  /** For a caller that takes away a right with which actions were proposed. */
  /** Ends the rules of people who may no longer approve what these let happen, by the role that each has from now on. */
  endRules(tx: TenantTransaction, left: ReadonlyMap<string, CallerRole | undefined>): Promise<void>;
  withdrawAll(tx: TenantTransaction, judge: (asked: Asked) => Cause | undefined): Promise<string[]>;
  /** What one person may not do at once, by a door that does what a tool does: why not, in the words of `alone`; undefined where they may. */
  refusedAlone(context: TenantContext, tool: string): Promise<Problem | undefined>;
  /** Whether an action that was carried out names the caller: as who asked for it, or as one of those who approved it. */
  names(tx: TenantTransaction, action: string): Promise<boolean>;
  /** For the tool endpoint. */
  readonly port: ApprovalPort;
  /**
   * Before anything is appended to a tenant's log: refuses what takes money out past the policy, whichever door and verb it
   * came by. @param tool what the door does by its own word
   * @returns what to record beside the events
   */
  requireOutflow(
    tx: TenantTransaction,
    events: readonly RecordedEvent[],
    tool: string | undefined,
  ): Promise<readonly RecordedEvent[]>;
  /** The same of what only people bring about, by the events that say so (`takesPeople`). */
  requirePeople(tx: TenantTransaction, events: readonly RecordedEvent[], tool: string | undefined): Promise<void>;
  /** The present email to an approver; undefined if there is nothing left to report. */
  writeEmail(tenant: string, owed: Owed): Promise<{ to: string; subject: string; text: string } | undefined>;
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The first approver client of an issuer. */
const clientIn =
  (clients: readonly ApproverClient[]) =>
  (issuer: string): string | undefined =>
    clients.find((one) => one.issuer === undefined || one.issuer === issuer)?.clientId;

export function createApprovals(given: ApprovalsDeps): Approvals {
  const { toolCatalogue, providers, nouns, unbound, secret, approverClients, ...rest } = given;
  const deps: Deps = {
    ...rest,
    commands: toolCatalogue.commands,
    toolNames: toolCatalogue.names,
    binding: createBinding(nouns, unbound),
    seals: createSeals(secret),
  };
  toolCatalogue.bind(tools, deps);
  const { identity, tenancy, portal } = deps;
  const gatedTools = identity.cached(
    async (caller, tenant) => {
      const statements = [openToDecide(tenant, caller.subject), selectPolicy];
      const [[opened] = [], rows] = await tenancy.pool.readAll(statements, { tenant });
      if ((opened?.['role'] ?? null) === null) return undefined;
      const { tools } = policyOf(deps, rows?.[0]);
      // What takes two people, at once or from some amount on, takes approval.
      const names = new Set(Object.keys(tools).filter((name) => Object.values(tools[name] ?? {}).some(Boolean)));
      return { names, accessVersion: opened?.['version'] as bigint };
    },
    () => Number.POSITIVE_INFINITY,
  );
  const gated: ApprovalPort['gated'] = (context, caller, tool) =>
    andThen(gatedTools(caller, context.tenant), (known) => {
      judgedBy(context, known);
      // The tool itself refuses a caller who is no member.
      return known?.names.has(tool.name) ?? false;
    });
  const awaits: Awaits = ({ caller, context }, tool) => tool.tier === 'approval' || gated(context, caller, tool);
  const guard = identity.tenant(portal);
  const worker = createWorker(deps);
  return {
    routes: [...actionRoutes(deps, guard, awaits), ...policyRoutes(deps, guard), ...ruleRoutes(deps, guard)],
    pages: (scope) => approvalPages(scope, { portal, clientAt: clientIn(approverClients), providers }),
    endRules: async (tx, left) => endRules(deps, tx, left),
    withdrawAll: async (tx, judge) => withdrawAll(deps, tx, judge),
    refusedAlone: async (context, name) => {
      const tool = deps.commands.get(name)?.tool;
      if (tool === undefined) throw new TypeError(`${name} is no command`);
      return requireAlone(deps, context, tool).then(() => undefined, refusal);
    },
    names: async (tx, action) => names(deps, tx, action),
    port: {
      gated,
      alone: async (context, caller, tool) => {
        // Before the login: who has to propose it anyway needs none that decides.
        await requireAlone(deps, context, tool);
        deps.decider.require(caller);
      },
      propose: async (context, proposal) => propose(deps, context, proposal),
      resume: async (context, caller, nonce) => resume(deps, context, requesterOf(caller), nonce),
    },
    requireOutflow: async (tx, events, tool) => requireOutflowAlone(deps, tx, events, tool),
    requirePeople: async (tx, events, tool) => requirePeople(deps, tx, events, tool),
    writeEmail: async (tenant, owed) => writeEmail(deps, tenant, owed),
    start: () => worker.start(),
    [Symbol.asyncDispose]: async () => worker.stop(),
  };
}

/** @throws what is no refusal */
function refusal(error: unknown): Problem {
  if (error instanceof Problem && error.status < 500) return error;
  throw error;
}

/** What approvals are given; they make the rest of their ports of it. */
export interface ApprovalsNeeds extends Omit<ApprovalsDeps, 'portal' | 'approverClients' | 'notifies' | 'providers'> {
  readonly config: ApprovalsSettings & Pick<IdentitySettings, 'issuers'> & MailSettings;
  readonly addresses: Pick<Addresses, 'issuer' | 'portal'>;
  readonly awaited: {
    readonly approvals: Deferred<
      Pick<
        Approvals,
        'endRules' | 'names' | 'refusedAlone' | 'requireOutflow' | 'requirePeople' | 'withdrawAll' | 'writeEmail'
      >
    >;
  };
}

/** Their routes and pages are served at the portal's address, where people sign in. */
export function create({ config, addresses, awaited, ...ports }: ApprovalsNeeds): Approvals & {
  readonly serves: readonly [
    { readonly at: 'portal'; readonly routes: readonly Route[]; register(scope: Scope): void },
  ];
} {
  const { clock, log, tenancy, identity, accessProfile, decider, toolCatalogue, taken, worth, nouns, unbound, secret } =
    ports;
  const { organizationName, language, called } = ports;
  const approvals = createApprovals({
    clock,
    log,
    tenancy,
    identity,
    accessProfile,
    decider,
    toolCatalogue,
    taken,
    worth,
    organizationName,
    language,
    called,
    nouns,
    unbound,
    secret,
    portal: addresses.portal,
    approverClients: config.approverClients,
    notifies: config.mail !== undefined,
    providers:
      config.issuers.length === 0
        ? async () => [developmentSignIn(addresses)]
        : discovering(config.issuers, { clock, log }),
  });
  awaited.approvals.give(approvals);
  return { ...approvals, serves: [{ at: 'portal', routes: approvals.routes, register: approvals.pages }] };
}

/** The development provider is ours: nobody need be asked where its endpoints are. */
const developmentSignIn = ({ issuer }: Pick<Addresses, 'issuer'>): SignIn => ({
  issuer,
  authorizationEndpoint: `${issuer}/authorize`,
  tokenEndpoint: `${issuer}/token`,
});
