import { tooFew } from './approvers.js';
import { deciding } from './decision.js';
import { handingOver } from './members.js';
import { whoeverHas } from './organization.js';
import { asker, named } from './people.js';
import { alert, base, link, note, put, say } from './screen.js';
import { session } from './session.js';
import { drift, el, facts, money, naming, pairs, preview, table, text, time, value } from './show.js';
import { reasons, states } from './words.js';

/** One action, of whichever organization it is. */
export async function one(id) {
  const found = await whoeverHas(`/pending-actions/${id}`, 'action');
  if (found !== undefined) show(found.organization, found.answer);
}

/** @param possible whether it may still be approved */
function show(organization, action, notice, possible = true) {
  const anew = (...outcome) => showAnew(organization, action.id, ...outcome);
  const open = action.state === 'pending';
  naming(action.facts);
  put(
    action.title,
    notice === undefined ? undefined : went(action) ? note(text(notice)) : alert(text(notice)),
    el('p', {}, el('span', { class: 'state' }, states[action.state] ?? action.state)),
    el('p', { class: 'lead' }, text(action.summary)),
    action.final && (open || action.state === 'executed')
      ? el('p', { class: 'alert' }, el('strong', {}, lasting(action)))
      : undefined,
    open && action.changed.length > 0
      ? [el('h2', {}, 'What has changed since it was shown'), drift(action.changed)]
      : undefined,
    open ? tooFew(organization, action, anew) : handingOver(organization, action),
    pairs([
      ['Organization', text(organization.name)],
      ['Amount', action.amount === null ? undefined : money(action.amount)],
      ['Asked', el('span', {}, ...asker(action).slice(1), ', ', time(action.requestedAt))],
      ['Expires', open ? time(action.expiresAt) : undefined],
      ['Approvals', approvals(action)],
      ['Decided by', action.decidedBy === null ? undefined : named(action, action.decidedBy)],
      ['Reason', action.reason === null ? undefined : text(action.reason)],
      ['Error', action.errorCode === null ? undefined : text(action.errorCode)],
    ]),
    el('h2', {}, open ? 'What would happen' : 'What was shown'),
    preview(action.preview, action.shownAt),
    action.facts.length === 0
      ? undefined
      : [el('h2', {}, open ? 'What it is about' : 'What it was about'), facts(action.facts)],
    el('h2', {}, 'What was asked for'),
    value(action.arguments),
    action.edits.length === 0 ? undefined : edits(action),
    action.result === null ? undefined : el('details', {}, el('summary', {}, 'Result'), value(action.result)),
    el(
      'details',
      {},
      el('summary', {}, 'For the record'),
      pairs([
        ['Tool', text(action.tool)],
        ['Action', text(action.id)],
        ['Digest shown', text(action.previewHash)],
        ['Correlation', text(action.correlationId)],
      ]),
    ),
    open ? deciding(organization, action, anew, possible) : el('p', {}, link(base, 'What else awaits a decision')),
  );
}

/** Whether it came to what was decided. */
const went = ({ state }) => ['approved', 'executed', 'rejected'].includes(state);
const lasting = ({ state }) =>
  state === 'executed' ? 'This cannot be taken back.' : 'Once approved, this can never be taken back.';

/** Reads the action again and shows it with what has become of the decision. */
async function showAnew(organization, id, words, possible) {
  const action = await session.ask('GET', `/pending-actions/${id}`, { tenant: organization.id });
  const notice = typeof words === 'string' ? words : words(action);
  show(organization, action, notice, possible);
  say(text(notice));
}

const approvals = ({ approvals: votes, approvalsNeeded: needed, reasons: why, names, available }) =>
  el(
    'span',
    {},
    `${available?.counting ?? votes.length} of ${needed}`,
    votes.length === 0
      ? undefined
      : [': ', votes.flatMap(({ approver }, at) => [at === 0 ? '' : ', ', text(names[approver] ?? approver)])],
    available !== null && available.counting < votes.length ? '; who may no longer approve does not count' : undefined,
    why.length === 0 ? undefined : ` (${why.map((reason) => reasons[reason] ?? reason).join('; ')})`,
  );

const edits = (action) => [
  el('h2', {}, 'What people changed'),
  action.edits.map(({ editor, at, changed }) => [
    el('p', {}, named(action, editor), ', ', time(at)),
    table(
      'What was changed',
      [{ head: 'Where' }, { head: 'Before' }, { head: 'After' }],
      changed.map((change) => [text(change.pointer), value(change.before), value(change.after)]),
    ),
  ]),
];
