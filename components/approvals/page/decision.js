import { decides, awaitsAnother } from './people.js';
import { refused } from './refusal.js';
import { main, say } from './screen.js';
import { session } from './session.js';
import { el, text } from './show.js';
import { already, outcome } from './words.js';

/**
 * Sends one decision at a time, with the digest of what is on the screen.
 * @param possible false: the tool refuses it as things are now, so it can only be rejected
 */
export function deciding(organization, action, anew, possible) {
  if (!decides(organization)) return el('p', {}, 'Your role lets you see this. Others decide about it.');
  const { id, previewHash, final } = action;
  const approved = awaitsAnother(action);
  const send = async (button, path, body, done) => {
    const buttons = [...main.querySelectorAll('button')];
    buttons.forEach((one) => (one.disabled = true));
    say('Sending your decision…');
    try {
      await session.ask('POST', `/pending-actions/${id}/${path}`, { tenant: organization.id, body });
      await anew(done);
    } catch (error) {
      buttons.forEach((one) => (one.disabled = false));
      await refused(error, button, anew);
    }
  };
  const approve = el(
    'button',
    {
      type: 'button',
      class: final ? 'first final' : 'first',
      onclick: () => send(approve, 'approve', { previewHash }, outcome),
    },
    final ? 'Approve for good what is shown here' : 'Approve what is shown here',
  );
  return el(
    'section',
    { 'aria-labelledby': 'decide' },
    el('h2', { id: 'decide' }, 'Decide'),
    el(
      'p',
      {},
      possible && approved
        ? already
        : possible
          ? 'You approve exactly what is shown above. If anything of it has changed, nothing happens and you see it anew.'
          : 'As things are now, this can no longer happen, so it cannot be approved. Reject it, and the proposer learns why.',
    ),
    possible && !approved ? approve : undefined,
    rejecting(send, !possible),
    possible ? changing(send, action) : undefined,
  );
}

function rejecting(send, open) {
  const reason = el('textarea', { id: 'reason', rows: '3', maxlength: '1000', required: true });
  const button = el('button', {}, 'Reject');
  return el(
    'details',
    { open },
    el('summary', {}, 'Reject it'),
    el(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          void send(button, 'reject', { reason: reason.value }, () => 'Rejected. The proposer sees the reason.');
        },
      },
      el('label', { for: 'reason' }, 'Reason (the proposer sees it)'),
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
