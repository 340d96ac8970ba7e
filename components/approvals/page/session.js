import { connect, Refused } from './api.js';
import { alert, base, isReading, look, put, say, settings } from './screen.js';
import { el, text } from './show.js';
import { signIn } from './sign-in.js';

/** Who decides, once known: the token, its name, and what asks with it. */
export let session;

/** @param given what signing in came to, or undefined to end it */
export function become(given) {
  session = given && { ...given, ask: connect(settings, given.token) };
  const name = session?.who ?? '';
  document.getElementById('who').replaceChildren(...(name === '' ? [] : ['Signed in as ', text(name)]));
}

export const signInButtons = (again, label = 'Sign in') =>
  settings.providers.length === 0
    ? alert('The identity provider cannot be reached at this moment. Try again in a minute.')
    : settings.providers.map((provider) =>
        el(
          'button',
          {
            type: 'button',
            class: 'first',
            onclick: () =>
              signIn(settings, provider, again, isReading()).catch(() =>
                say('Signing in needs https, or an address of this machine.'),
              ),
          },
          settings.providers.length === 1 ? label : `${label} with ${new URL(provider.issuer).host}`,
        ),
      );

export function askToSignIn(problem) {
  if (isReading())
    return put(
      'Submissions to a form',
      problem === undefined ? undefined : alert(problem),
      el('p', {}, 'Members of the organization read here what visitors of its website sent.'),
      el('p', {}, 'Sign in to read it.'),
      signInButtons(false),
    );
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
export function trouble(error) {
  if (error instanceof Refused && error.status === 401) {
    become(undefined);
    const old = error.code === 'login_too_old';
    put(
      'Sign in again',
      alert(
        old
          ? 'You signed in more than 15 minutes ago, so this was not decided. Sign in again, look at it once more, and decide.'
          : `Your login has ended${isReading() ? '' : ', so nothing was decided'}. Sign in again.`,
      ),
      signInButtons(old, 'Sign in again'),
    );
    return;
  }
  put(
    'That did not work',
    alert(text(error instanceof Refused ? said403(error) : error.message)),
    el('button', { type: 'button', onclick: () => look() }, 'Look again'),
    session === undefined ? undefined : signInButtons(true, 'Sign in as somebody else'),
  );
}
const said403 = ({ code, message }) =>
  code === 'client_not_approver' || code === 'insufficient_scope'
    ? `${message} The identity provider gave this page no token that may decide.`
    : message;
