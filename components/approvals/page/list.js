import { base, link, put } from './screen.js';
import { session, signInButtons, trouble } from './session.js';
import { accepting, inviting } from './members.js';
import { asker, awaitsAnother } from './people.js';
import { el, money, text, time } from './show.js';
import { already } from './words.js';

/** What awaits a decision, of each organization. */
export async function list() {
  if (session.organizations.length === 0)
    return put(
      'Actions that await decisions',
      el('p', {}, 'You belong to no organization.'),
      accepting(anew),
      signInButtons(true, 'Sign in as somebody else'),
    );
  const parts = await Promise.all(session.organizations.map(async (organization) => part(organization)));
  put('Actions that await decisions', parts, accepting(anew));
}

/** Whoever has just become a member belongs to one more. */
async function anew() {
  session.organizations = (await session.ask('GET', '/organizations')).items;
  await list();
}

async function part(organization) {
  const items = el('ul', { class: 'actions' });
  const none = el('p', {}, 'Nothing awaits a decision.');
  const more = el('button', { type: 'button' }, 'Show more');
  let cursor;
  const load = async () => {
    const query = `?state=pending&limit=50${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const page = await session.ask('GET', `/pending-actions${query}`, { tenant: organization.id });
    items.append(...page.items.map(entry));
    cursor = page.nextCursor ?? undefined;
    none.hidden = items.childElementCount > 0;
    more.hidden = cursor === undefined;
  };
  more.addEventListener('click', () => load().catch(trouble));
  await load();
  const heading = el('h2', {}, text(organization.name), ' ', el('span', { class: 'quiet' }, `as ${organization.role}`));
  return el('section', {}, heading, none, items, more, inviting(organization));
}

const entry = (action) =>
  el(
    'li',
    {},
    link(`${base}/${action.id}?plain`, action.title),
    action.amount === null ? undefined : [' · ', money(action.amount)],
    el('div', {}, text(action.summary)),
    awaitsAnother(action) ? el('div', {}, already) : undefined,
    el(
      'div',
      { class: 'quiet' },
      ...asker(action),
      ' · expires ',
      time(action.expiresAt),
      ` · ${action.available?.counting ?? action.approvals.length} of ${action.approvalsNeeded} approvals`,
    ),
  );
