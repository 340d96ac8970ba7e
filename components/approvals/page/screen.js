import { el } from './show.js';

export const settings = JSON.parse(document.body.dataset.settings);
/** The path of the list; an action's is below it. */
export const base = new URL(settings.base, location.origin).pathname;
/** Where submissions are read; nothing is decided there, so a login that may decide is not asked for. */
export const submissions = new URL(settings.submissions, location.origin).pathname;
export const isReading = () => location.pathname.startsWith(`${submissions}/`);
export const main = document.getElementById('main');
const said = document.getElementById('said');

/** Shows one thing in the place of another. */
export function put(title, ...children) {
  document.title = `${title} · Steward`;
  const heading = el('h1', { tabindex: '-1' }, title);
  main.replaceChildren(heading, ...children.flat(Infinity).filter((child) => child !== undefined && child !== false));
  heading.focus();
}
export const say = (words) => said.replaceChildren(words);
/** What went as it was decided: told at once, as an alert is, and not shown as one. */
export const note = (...children) => el('p', { class: 'note', role: 'alert' }, ...children);
export const alert = (...children) => el('p', { class: 'alert', role: 'alert' }, ...children);

/** Shows what the address says, anew: whoever listens is told as if somebody had gone there. */
export const look = () => dispatchEvent(new PopStateEvent('popstate'));

/** Goes to an address within the page, so that the login is kept; in another tab it works as well. */
export const follow = (path) => (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(null, '', path);
  look();
};
export const link = (path, ...children) => el('a', { href: path, onclick: follow(path) }, ...children);
