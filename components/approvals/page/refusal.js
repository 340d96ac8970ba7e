import { Refused } from './api.js';
import { alert, say } from './screen.js';
import { trouble } from './session.js';
import { el, text } from './show.js';
import { already } from './words.js';

const asked = {
  not_pending: 'This was decided already, so your decision was not counted. This is what has become of it.',
  stale_preview: 'Something has changed since you looked, so nothing was decided. Look at it again.',
  already_approved: already,
};

/**
 * Says beside a button why what it asked for was not done; what has changed meanwhile is shown anew instead.
 * @param anew (words, possible) => shows the action as it is now
 */
export async function refused(error, button, anew) {
  if (!(error instanceof Refused) || error.status === 401) return trouble(error);
  if (error.problem.executable === false) return anew(`Nothing was decided. ${error.message}`, false).catch(trouble);
  if (asked[error.code] !== undefined) return anew(asked[error.code]).catch(trouble);
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
