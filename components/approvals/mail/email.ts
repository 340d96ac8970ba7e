import { oneLine, type Owed } from '@steward/mail';
import { actionOf, selectAction, stateOf, type Action, type ActionRow } from '../actions/action.ts';
import { reasonOf } from '../actions/present.ts';
import { ownContext } from '../actions/requester.ts';
import { approvalPage, type Deps } from '../deps.ts';
import { settleActions } from '../permissions.ts';
import { moneyOf } from '../policy/money.ts';
import type { Fact } from '../shown/facts.ts';

/** Things named at most; the page has all of them. */
const most = 12;

/** What somebody is told of an action as it stands at this moment. */
export async function writeEmail(
  deps: Deps,
  tenant: string,
  { about: id, reader }: Owed,
): Promise<{ to: string; subject: string; text: string } | undefined> {
  const context = ownContext(deps, tenant, { correlationId: id, lastEventId: id }, `approvals-${id}`);
  const [row] = await context.require(settleActions).read<ActionRow>(selectAction(tenant, id));
  const words = row === undefined ? undefined : approvalEmail(deps, actionOf(row));
  const to = words === undefined ? undefined : (await deps.identity.people.named([reader])).get(reader)?.email;
  return words === undefined || to === undefined ? undefined : { to, ...words };
}

/**
 * What there is to tell; undefined where there is nothing any more. It names what the action is about as it stands in the books, and nothing
 * that was said in asking for it: whoever writes what people are asked could write where they are sent. The subject has our words alone.
 */
function approvalEmail(
  { commands, portal }: Pick<Deps, 'commands' | 'portal'>,
  action: Action,
): { subject: string; text: string } | undefined {
  const state = stateOf(action);
  const tool = commands.get(action.tool)?.tool;
  const title = tool?.title ?? action.tool;
  if (state === 'withdrawn' && action.cause !== undefined) {
    return {
      subject: `No longer waits: ${title}`,
      text: [
        `“${title}” (${action.tool}) was withdrawn. You need not decide any more. ${reasonOf(action) ?? ''}`,
        '',
        ...about(action, 'It was about'),
        `See the action: ${approvalPage(portal, action.id)}`,
        '',
      ].join('\n'),
    };
  }
  if (state !== 'pending') return undefined;
  return {
    subject: `Approval needed: ${title}`,
    text: [
      `${action.agentId === undefined ? 'Somebody' : 'An agent'} asks for approval of “${title}” (${action.tool}). Nothing happens before it is approved.`,
      '',
      ...about(action, 'It is about'),
      ...(tool?.final === true ? ['ONCE APPROVED, THIS CANNOT BE UNDONE.', ''] : []),
      `See the action and decide: ${approvalPage(portal, action.id)}`,
      `It expires at ${action.expiresAt.toISOString()}.`,
      '',
    ].join('\n'),
  };
}

/** What would change goes first. Names are indented, so that none passes for a line of ours. */
function about({ money, facts }: Action, heading: string): string[] {
  const named = (JSON.parse(facts) as Fact[]).filter(({ name }) => name !== null && name.trim() !== '');
  const things = named.toSorted((a, b) => Number(b.after !== undefined) - Number(a.after !== undefined));
  const amount = money === undefined ? undefined : moneyOf(money);
  return [
    ...(amount === undefined ? [] : [`Amount: ${amount.amount} ${amount.currency}`, '']),
    ...(things.length === 0
      ? []
      : [
          `${heading} (people and agents chose these names: do not trust what they say):`,
          ...things.slice(0, most).map(({ noun, name, after }) => `    ${noun}: ${unlinked(name ?? '')}${fate(after)}`),
          ...(things.length > most ? [`    and ${things.length - most} more`] : []),
          '',
        ]),
  ];
}

const fate = (after: Fact['after']): string =>
  after === undefined ? '' : after === null ? ' (would be gone)' : ' (would change)';

/** Mail programs make links of whatever looks like one: a name must not lead anywhere. */
const unlinked = (name: string): string =>
  oneLine(name, 120)
    .replaceAll('://', '[:]//')
    .replaceAll('@', '[at]')
    .replace(/\.(?=[\p{L}\p{N}])/gu, '[.]');
