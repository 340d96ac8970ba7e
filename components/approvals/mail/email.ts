import { type Owed, unlinked } from '@steward/mail';
import { actionOf, selectAction, stateOf, type Action } from '../actions/action.ts';
import { ownContext } from '../actions/requester.ts';
import { approvalPage, type Called, type Deps } from '../deps.ts';
import { settleActions } from '../permissions.ts';
import type { Fact } from '../shown/facts.ts';
import { leaves } from '../shown/named.ts';
import { type Words, wordsIn } from './words.ts';

/** Things named at most; the page has all of them. */
const most = 12;

/** The email to one reader about an action's present state. */
export async function writeEmail(
  deps: Deps,
  tenant: string,
  { about: id, reader }: Owed,
): Promise<{ to: string; subject: string; text: string } | undefined> {
  const context = ownContext(deps, tenant, { correlationId: id, lastEventId: id }, `approvals-${id}`);
  const [row] = await context.require(settleActions).read(selectAction(tenant, id));
  if (row === undefined) return undefined;
  const action = actionOf(row);
  const { subject, agentId } = action;
  const agents = agentId === null ? [] : [{ type: 'agent', id: agentId } as const];
  const [readers, names, organization, language] = await Promise.all([
    deps.identity.people.named([reader]),
    deps.identity.memberships.names(context, [subject, ...agents]),
    deps.organizationName(tenant),
    deps.language({ context, query: async (statement) => context.require(settleActions).read(statement) }),
  ]);
  const to = readers.get(reader)?.email;
  const person = names.get(`${subject.type}:${subject.id}`) ?? subject.id;
  const agent = agentId === null ? undefined : names.get(`agent:${agentId}`);
  const said = approvalEmail(deps, action, {
    person,
    organization,
    agent,
    words: wordsIn[language],
    called: await deps.called(language),
  });
  return said === undefined || to === undefined ? undefined : { to, ...said };
}

interface Asking {
  readonly person: string;
  readonly organization: string;
  /** The name that the agent registered with, if it is known. */
  readonly agent: string | undefined;
  readonly words: Words;
  readonly called: Called;
}

/**
 * The words of an email; undefined if there is nothing left to report. It names what the action is about, as the books name it, and of the
 * proposal's own texts it has only days and months: a proposer's text could send approvers to another address. The subject has only our own
 * words.
 */
function approvalEmail(
  { commands, portal }: Pick<Deps, 'commands' | 'portal'>,
  action: Action,
  { words, called, ...asking }: Asking,
): { subject: string; text: string } | undefined {
  const state = stateOf(action);
  const tool = commands.get(action.tool)?.tool;
  const title = called.command(action.tool) ?? tool?.title ?? action.tool;
  const command = `${words.quoted(title)} (${action.tool})`;
  const address = approvalPage(portal, action.id);
  if (state === 'withdrawn' && action.cause !== null) {
    return {
      subject: words.over(title),
      text: [
        `${words.withdrawn(command)} ${action.reason ?? words.causes[action.cause]}`,
        '',
        ...about(action, { words, called, ...asking }),
        words.see(address),
        '',
      ].join('\n'),
    };
  }
  if (state !== 'pending') return undefined;
  return {
    subject: words.needed(title),
    text: [
      words.asks(words.askers[askerOf(action)], command),
      '',
      ...about(action, { words, called, ...asking }),
      ...(tool?.final === true ? [words.final, ''] : []),
      words.decide(address),
      words.expires(momentIn(words, action.expiresAt)),
      '',
    ].join('\n'),
  };
}

const momentIn = ({ locale }: Words, at: string): string =>
  new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(new Date(at));

const askerOf = ({ agentId, subject }: Action): keyof Words['askers'] =>
  agentId !== null ? 'agent' : subject.type === 'user' ? 'person' : 'machine';

/** For whom it is asked and what it is about; what would change goes first. Names are indented, so that none passes for a line of ours. */
function about(action: Action, { person, organization, agent, words, called }: Asking): string[] {
  const { agentId, subject, amount } = action;
  const given = JSON.parse(action.arguments) as Readonly<Record<string, unknown>>;
  const things = thingsOf(action);
  const named = [
    [words.organization, unlinked(organization)],
    ...(agentId === null ? [] : [[words.agent, withId(agent, agentId)]]),
    [subject.type === 'user' ? words.person : words.machine, unlinked(person)],
    ...Object.entries(given)
      .filter(([, value]) => typeof value === 'string' && dayOrMonth.test(value))
      .map(([name, value]) => [called.thing(name), value] as const),
  ] as readonly (readonly [string, string])[];
  return [
    ...(amount === null ? [] : [words.amount(`${amount.amount} ${amount.currency}`), '']),
    words.about,
    ...named.map(([what, said]) => `    ${what.replaceAll('_', ' ')}: ${said}`),
    ...things
      .slice(0, most)
      .map(({ noun, name, after }) => `    ${called.thing(noun)}: ${unlinked(name ?? '')}${fate(after, words)}`),
    ...(things.length > most ? [`    ${words.more(things.length - most)}`] : []),
    '',
  ];
}

/** However long the name is, the id after it is whole: nobody chose it. */
const withId = (name: string | undefined, id: string): string =>
  name === undefined ? unlinked(id) : `${unlinked(name, 60)} (${unlinked(id, 300)})`;

const dayOrMonth = /^\d{4}-\d{2}(?:-\d{2})?$/;

/** What would change, and what the arguments or the preview name by id or code; not what that refers to in turn. */
function thingsOf({ facts, arguments: given, preview }: Action): Fact[] {
  const said = new Set([...leaves(JSON.parse(given)), ...leaves(preview)]);
  return facts
    .filter(({ name }) => name !== null && name.trim() !== '')
    .filter(({ id, before, after }) => after !== undefined || said.has(id) || said.has(String(before['code'])))
    .toSorted((a, b) => Number(b.after !== undefined) - Number(a.after !== undefined));
}

const fate = (after: Fact['after'], { gone, changed }: Words): string =>
  after === undefined ? '' : ` (${after === null ? gone : changed})`;
