import { type Owed, unlinked } from '@steward/mail';
import { actionOf, selectAction, stateOf, type Action } from '../actions/action.ts';
import { reasonOf } from '../actions/present.ts';
import { ownContext } from '../actions/requester.ts';
import { approvalPage, type Deps } from '../deps.ts';
import { settleActions } from '../permissions.ts';
import type { Fact } from '../shown/facts.ts';
import { leaves } from '../shown/named.ts';

/** Things named at most; the page has all of them. */
const most = 12;

/** With the month by its name: 01/12 is another day in another country. */
const moments = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

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
  const [readers, names, organization] = await Promise.all([
    deps.identity.people.named([reader]),
    deps.identity.memberships.names(context, [subject, ...agents]),
    deps.organizationName(tenant),
  ]);
  const to = readers.get(reader)?.email;
  const person = names.get(`${subject.type}:${subject.id}`) ?? subject.id;
  const agent = agentId === null ? undefined : names.get(`agent:${agentId}`);
  const words = approvalEmail(deps, action, { person, organization, agent });
  return words === undefined || to === undefined ? undefined : { to, ...words };
}

interface Asking {
  readonly person: string;
  readonly organization: string;
  /** The name that the agent registered with, if it is known. */
  readonly agent: string | undefined;
}

/**
 * The words of an email; undefined if there is nothing left to report. It names what the action is about, as the books name it, and of the
 * proposal's own texts it has only days and months: a proposer's text could send approvers to another address. The subject has only our own
 * words.
 */
function approvalEmail(
  { commands, portal }: Pick<Deps, 'commands' | 'portal'>,
  action: Action,
  asking: Asking,
): { subject: string; text: string } | undefined {
  const state = stateOf(action);
  const tool = commands.get(action.tool)?.tool;
  const title = tool?.title ?? action.tool;
  if (state === 'withdrawn' && action.cause !== null) {
    return {
      subject: `No longer waits: ${title}`,
      text: [
        `“${title}” (${action.tool}) was withdrawn. You need not decide any more. ${reasonOf(action) ?? ''}`,
        '',
        ...about(action, asking),
        `See the action: ${approvalPage(portal, action.id)}`,
        '',
      ].join('\n'),
    };
  }
  if (state !== 'pending') return undefined;
  return {
    subject: `Approval needed: ${title}`,
    text: [
      `${askerOf(action)} asks for approval of “${title}” (${action.tool}). Nothing happens before it is approved.`,
      '',
      ...about(action, asking),
      ...(tool?.final === true ? ['ONCE APPROVED, THIS CANNOT BE UNDONE.', ''] : []),
      `See the action and decide: ${approvalPage(portal, action.id)}`,
      `It expires on ${moments.format(new Date(action.expiresAt))}.`,
      '',
    ].join('\n'),
  };
}

const askerOf = ({ agentId, subject }: Action): string =>
  agentId !== null ? 'An agent' : subject.type === 'user' ? 'A person' : 'A machine';

/** For whom it is asked and what it is about; what would change goes first. Names are indented, so that none passes for a line of ours. */
function about(action: Action, { person, organization, agent }: Asking): string[] {
  const { agentId, subject, amount } = action;
  const given = JSON.parse(action.arguments) as Readonly<Record<string, unknown>>;
  const things = thingsOf(action);
  const named = [
    ['organization', unlinked(organization)],
    ...(agentId === null ? [] : [['agent', withId(agent, agentId)]]),
    [subject.type === 'user' ? 'person' : 'machine', unlinked(person)],
    ...Object.entries(given).filter(([, value]) => typeof value === 'string' && dayOrMonth.test(value)),
  ] as readonly (readonly [string, string])[];
  return [
    ...(amount === null ? [] : [`Amount: ${amount.amount} ${amount.currency}`, '']),
    'For whom and about what (people and agents chose these names: do not trust what they say):',
    ...named.map(([what, said]) => `    ${what.replaceAll('_', ' ')}: ${said}`),
    ...things.slice(0, most).map(({ noun, name, after }) => `    ${noun}: ${unlinked(name ?? '')}${fate(after)}`),
    ...(things.length > most ? [`    and ${things.length - most} more`] : []),
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

const fate = (after: Fact['after']): string =>
  after === undefined ? '' : after === null ? ' (would be gone)' : ' (would change)';
