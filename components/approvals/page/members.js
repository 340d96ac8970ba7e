import { refused } from './refusal.js';
import { say } from './screen.js';
import { session } from './session.js';
import { el, pairs, text } from './show.js';

const roles = {
  viewer: 'reads',
  developer: 'sites, keys and forms',
  merchandiser: 'brands, contacts and commerce',
  accountant: 'keeps the books, may approve payments',
  admin: 'all but making owners, may approve payments',
  owner: 'everything',
};

let fields = 0;

/** A form under a summary: it sends once at a time, and says beside its button why something was not done. */
function asking(label, children, button, send) {
  const form = el(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        button.disabled = true;
        send(form)
          .catch((error) => refused(error, button, async (words) => say(words)))
          .finally(() => (button.disabled = false));
      },
    },
    children,
    button,
  );
  return el('details', {}, el('summary', {}, label), form);
}

function field(label, input) {
  input.id = `field-${(fields += 1)}`;
  return [el('label', { for: input.id }, label), input];
}

/** What somebody who was invited needs, shown this once. */
const secretOf = ({ email, role, secret, expiresAt }) =>
  el(
    'div',
    { role: 'status' },
    el('p', {}, 'Hand this over to the person, by a way that only they read. It is not shown again.'),
    pairs([
      ['For', text(email)],
      ['Role', role],
      ['Secret', el('code', {}, text(secret))],
      ['Until', new Date(expiresAt).toLocaleString()],
    ]),
    el('p', {}, 'They open this page, sign in with that address, choose “I was invited” and enter the secret.'),
  );

/** For those who may: to invite somebody at once. */
export function inviting({ id: tenant, role: own }) {
  if (own !== 'owner' && own !== 'admin') return undefined;
  const email = el('input', { type: 'email', required: true, maxlength: '254', autocomplete: 'off' });
  const role = el(
    'select',
    {},
    Object.entries(roles)
      .filter(([name]) => name !== 'owner' || own === 'owner')
      .map(([name, means]) => el('option', { value: name }, `${name}: ${means}`)),
  );
  const button = el('button', {}, 'Invite');
  return asking('Invite somebody', [field('E-mail address', email), field('Role', role)], button, async (form) => {
    const body = { email: email.value, role: role.value };
    form.replaceChildren(secretOf(await session.ask('POST', '/invitations', { tenant, body })));
  });
}

/** For whoever was invited, and is a member of nothing yet or of something else. */
export function accepting(anew) {
  const secret = el('input', { required: true, maxlength: '200', autocomplete: 'off', spellcheck: 'false' });
  const button = el('button', {}, 'Become a member');
  return asking('I was invited', field('Secret that you were given', secret), button, async () => {
    await session.ask('POST', '/invitations/accept', { body: { secret: secret.value.trim() } });
    await anew();
    say('You are a member now.');
  });
}

/** An invitation that came about by approval: whoever decides makes the secret of it. */
export function handingOver({ id: tenant }, { tool, state, result }) {
  const invitation = result?.data?.invitation_id;
  if (tool !== 'service_invite_member' || state !== 'executed' || invitation === undefined) return undefined;
  const button = el('button', {}, 'Make the secret to hand over');
  return asking('Hand over the invitation', [], button, async (form) => {
    form.replaceChildren(secretOf(await session.ask('POST', `/invitations/${invitation}/secret`, { tenant })));
  });
}
