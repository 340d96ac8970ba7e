import { connect, Refused } from './api.js';
import { signedIn, signIn } from './sign-in.js';
import { el, money, pairs, preview, table, text, time, value } from './show.js';

const settings = JSON.parse(document.body.dataset.settings);
const base = new URL(settings.base, location.origin).pathname;
const main = document.getElementById('main');
const said = document.getElementById('said');

/** Who decides, once known: the token, its name, and what asks with it. */
let session;

const reasons = {
  four_eyes_always: 'the policy wants two people for this, whatever the amount',
  no_amount: 'it names no amount, so no limit can be held against it',
  no_limit_for_currency: 'the policy names no limit for this currency',
  amount_above_limit: 'the amount is above the limit for one person',
  daily_sum_above_limit: 'with it, today’s sum is above the limit for one person',
  new_payee: 'it is the first payment to this payee',
};
const states = {
  pending: 'Awaits a decision',
  approved: 'Approved, being carried out',
  executed: 'Carried out',
  failed: 'Approved, and failed',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired: it will never take effect',
};

function put(title, ...children) {
  document.title = `${title} · Steward`;
  const heading = el('h1', { tabindex: '-1' }, title);
  main.replaceChildren(heading, ...children.flat(Infinity).filter((child) => child !== undefined && child !== false));
  heading.focus();
}
const say = (words) => said.replaceChildren(words);
const alert = (...children) => el('p', { class: 'alert', role: 'alert' }, ...children);

const signInButtons = (again, label = 'Sign in') =>
  settings.providers.length === 0
    ? alert('The identity provider cannot be reached at this moment. Try again in a minute.')
    : settings.providers.map((provider) =>
        el(
          'button',
          {
            type: 'button',
            class: 'first',
            onclick: () =>
              signIn(settings, provider, again).catch(() =>
                say('Signing in needs https, or an address of this machine.'),
              ),
          },
          settings.providers.length === 1 ? label : `${label} with ${new URL(provider.issuer).host}`,
        ),
      );

function askToSignIn(problem) {
  const one = location.pathname !== base;
  put(
    one ? 'An action awaits a decision' : 'Actions that await decisions',
    problem === undefined ? undefined : alert(problem),
    el(
      'p',
      {},
      one
        ? 'An agent asked for something that takes effect only when people with the right role have approved it. Opening this page has decided nothing.'
        : 'Agents ask here for what takes effect only when people with the right role have approved it.',
    ),
    el('p', {}, 'Sign in to see what it is.'),
    signInButtons(false),
  );
}

/** What went wrong, in words; a login that no longer counts leads to signing in again, and nothing is decided meanwhile. */
function trouble(error) {
  if (error instanceof Refused && error.status === 401) {
    session = undefined;
    who();
    const old = error.code === 'login_too_old';
    put(
      'Sign in again',
      alert(
        old
          ? 'You signed in more than 15 minutes ago, so this was not decided. Sign in again, look at it once more, and decide.'
          : 'Your login has ended, so nothing was decided. Sign in again.',
      ),
      signInButtons(old, 'Sign in again'),
    );
    return;
  }
  put(
    'That did not work',
    alert(text(error instanceof Refused ? said403(error) : error.message)),
    el('button', { type: 'button', onclick: () => void go() }, 'Look again'),
    session === undefined ? undefined : signInButtons(true, 'Sign in as somebody else'),
  );
}
const said403 = ({ code, message }) =>
  code === 'client_not_approver' || code === 'insufficient_scope'
    ? `${message} The identity provider gave this page no token that may decide.`
    : message;

const who = () => {
  const name = session?.who ?? '';
  document.getElementById('who').replaceChildren(...(name === '' ? [] : ['Signed in as ', text(name)]));
};

/** A link within the page, so that the login is kept; in another tab it works as well. */
const link = (path, ...children) =>
  el(
    'a',
    {
      href: path,
      onclick: (event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        history.pushState(null, '', path);
        void go();
      },
    },
    ...children,
  );

async function go() {
  say('');
  if (session === undefined) return askToSignIn();
  try {
    session.organizations ??= (await session.ask('GET', '/organizations')).items;
    const id = location.pathname.slice(base.length + 1);
    await (id === '' ? list() : one(id));
  } catch (error) {
    trouble(error);
  }
}

// ——— the list

async function list() {
  if (session.organizations.length === 0)
    return put(
      'Actions that await decisions',
      el('p', {}, 'You belong to no organization.'),
      signInButtons(true, 'Sign in as somebody else'),
    );
  const parts = await Promise.all(session.organizations.map(async (organization) => part(organization)));
  put('Actions that await decisions', parts);
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
  return el('section', {}, heading, none, items, more);
}

const entry = (action) =>
  el(
    'li',
    {},
    link(`${base}/${action.id}`, action.title),
    action.amount === null ? undefined : [' · ', money(action.amount)],
    el('div', {}, text(action.summary)),
    el(
      'div',
      { class: 'quiet' },
      ...asker(action),
      ' · expires ',
      time(action.expiresAt),
      ` · ${action.available?.counting ?? action.approvals.length} of ${action.approvalsNeeded} approvals`,
    ),
  );

// ——— one action

const named = (action, id) => text(action.names[id] ?? id);
const asker = (action) => {
  const [first, ...acting] = action.requestedBy;
  return [
    'asked by ',
    named(action, first?.id ?? ''),
    ...acting.flatMap(({ id }) => [' through the agent ', named(action, id)]),
  ];
};

async function one(id) {
  const held = session.organizations.toSorted(
    (a, b) => Number(b.id === session.tenant) - Number(a.id === session.tenant),
  );
  for (const organization of held) {
    try {
      const action = await session.ask('GET', `/pending-actions/${id}`, { tenant: organization.id });
      session.tenant = organization.id;
      return show(organization, action);
    } catch (error) {
      if (!(error instanceof Refused) || ![403, 404].includes(error.status)) throw error;
    }
  }
  put(
    'There is nothing here for you',
    el(
      'p',
      {},
      'No such action is in the organizations of ',
      text(session.who || 'this login'),
      ', or your role does not show it.',
    ),
    signInButtons(true, 'Sign in as somebody else'),
  );
}

function show(organization, action, notice) {
  const open = action.state === 'pending';
  put(
    action.title,
    notice === undefined ? undefined : alert(notice),
    el('p', {}, el('span', { class: 'state' }, states[action.state] ?? action.state)),
    el('p', { class: 'lead' }, text(action.summary)),
    open ? tooFew(organization, action) : undefined,
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
    preview(action.preview),
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
    open ? deciding(organization, action) : el('p', {}, link(base, 'What else awaits a decision')),
  );
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

/** Where two people are needed and there are not two: what the organization can do about it. */
function tooFew(organization, { id, available }) {
  if (available === null || available.approvers > 1) return undefined;
  if (available.alone)
    return el('p', {}, 'Only one member may approve this, and the policy lets that person decide alone.');
  const none = available.approvers === 0;
  const words = none
    ? 'This takes two people, and no member of the organization may approve it. Invite two who may: it waits until then.'
    : 'This takes two people, and only one member of the organization may approve it. It waits until a second is invited who may';
  if (none) return alert(words);
  if (organization.role !== 'owner') return alert(`${words}, or an owner allows the only approver to decide alone.`);
  const button = el(
    'button',
    {
      type: 'button',
      onclick: async () => {
        button.disabled = true;
        say('Changing the approval policy…');
        const tenant = organization.id;
        try {
          const policy = await session.ask('GET', '/approval-policy', { tenant });
          await session.ask('PUT', '/approval-policy', { tenant, body: { ...policy, soleApprover: true } });
          await anew(
            organization,
            id,
            'The only approver may decide alone from now on. Nothing was approved by that: decide below. As the policy has changed, you are asked twice.',
          );
        } catch (error) {
          button.disabled = false;
          await refused(organization, id, error, button);
        }
      },
    },
    'Allow the only approver to decide alone',
  );
  return el(
    'section',
    {},
    alert(`${words}, or you allow the only approver to decide alone, from now on and for every action.`),
    button,
  );
}

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

/** Sends one decision at a time, with the digest of what is on the screen. */
function deciding(organization, action) {
  const { id, previewHash } = action;
  const send = async (button, path, body, done) => {
    const buttons = [...main.querySelectorAll('button')];
    buttons.forEach((one) => (one.disabled = true));
    say('Sending your decision…');
    try {
      await session.ask('POST', `/pending-actions/${id}/${path}`, { tenant: organization.id, body });
      await anew(organization, id, done);
    } catch (error) {
      buttons.forEach((one) => (one.disabled = false));
      await refused(organization, id, error, button);
    }
  };
  const approve = el(
    'button',
    {
      type: 'button',
      class: 'first',
      onclick: () => send(approve, 'approve', { previewHash }, outcome),
    },
    'Approve what is shown here',
  );
  return el(
    'section',
    { 'aria-labelledby': 'decide' },
    el('h2', { id: 'decide' }, 'Decide'),
    el(
      'p',
      {},
      'You approve exactly what is shown above. If anything of it has changed, nothing happens and you see it anew.',
    ),
    approve,
    rejecting(send),
    changing(send, action),
  );
}

const outcome = ({ state, approvals: votes, approvalsNeeded: needed, errorCode, available }) => {
  if (state === 'executed') return 'Approved and carried out.';
  if (state === 'failed') return `Approved, and it failed: ${errorCode}. Nothing was changed.`;
  if (state === 'pending')
    return `Your approval counts, ${available?.counting ?? votes.length} of ${needed}: now another person must approve.${available !== null && available.approvers < needed && !available.alone ? ' There is no other who may.' : ''}`;
  return states[state] ?? state;
};

function rejecting(send) {
  const reason = el('textarea', { id: 'reason', rows: '3', maxlength: '1000', required: true });
  const button = el('button', {}, 'Reject');
  return el(
    'details',
    {},
    el('summary', {}, 'Reject it'),
    el(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          void send(button, 'reject', { reason: reason.value }, () => 'Rejected. Whoever asked is told why.');
        },
      },
      el('label', { for: 'reason' }, 'Why? Whoever asked is told this.'),
      reason,
      button,
    ),
  );
}

function changing(send, { arguments: args, previewHash }) {
  const json = el('textarea', {
    id: 'arguments',
    class: 'json',
    rows: '14',
    spellcheck: 'false',
    'aria-describedby': 'fault',
  });
  json.value = JSON.stringify(args, null, 2);
  const fault = el('p', { id: 'fault', role: 'alert' });
  const button = el('button', {}, 'Show what that would do');
  return el(
    'details',
    {},
    el('summary', {}, 'Change it before approving'),
    el(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          let changed;
          try {
            changed = JSON.parse(json.value);
          } catch (error) {
            fault.replaceChildren('This is not JSON: ', text(error.message));
            json.setAttribute('aria-invalid', 'true');
            json.focus();
            return;
          }
          void send(
            button,
            'edit',
            { previewHash, arguments: changed, approve: false },
            () => 'Changed, and not approved yet: look at what would happen now.',
          );
        },
      },
      el('label', { for: 'arguments' }, 'What is asked for, as JSON'),
      json,
      fault,
      button,
    ),
  );
}

/** Reads the action again and shows it with what has become of the decision. */
async function anew(organization, id, words) {
  const action = await session.ask('GET', `/pending-actions/${id}`, { tenant: organization.id });
  const notice = typeof words === 'string' ? words : words(action);
  show(organization, action, notice);
  say(notice);
}

const asked = {
  not_pending: 'This was decided already, so your decision was not counted. This is what has become of it.',
  stale_preview: 'Something has changed since you looked, so nothing was decided. Look at it again.',
  already_approved: 'You have approved this already; now another person must.',
};

async function refused(organization, id, error, button) {
  if (!(error instanceof Refused) || error.status === 401) return trouble(error);
  if (asked[error.code] !== undefined) return anew(organization, id, asked[error.code]).catch(trouble);
  const details = (error.problem.errors ?? [])
    .filter(({ pointer }) => !error.message.includes(pointer))
    .map(({ pointer, detail }) => el('li', {}, text(pointer), ': ', text(detail)));
  const note = alert(text(error.message));
  button
    .closest('form, section')
    .querySelectorAll('.refusal')
    .forEach((one) => one.remove());
  button.after(el('div', { class: 'refusal' }, note, details.length === 0 ? undefined : el('ul', {}, details)));
  say('');
  button.focus();
}

// ——— begin

document.getElementById('home').addEventListener('click', (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, '', base);
  void go();
});
addEventListener('popstate', () => void go());
try {
  const given = await signedIn(settings);
  if (given !== undefined) session = { ...given, ask: connect(settings, given.token) };
  who();
  await go();
} catch (error) {
  askToSignIn(error.message);
}
