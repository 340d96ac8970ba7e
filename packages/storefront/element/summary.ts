import type { Words } from '../messages/catalogue.ts';
import { foreign, make } from './dom.ts';
import type { DrawnField } from './field.ts';

/**
 * Leads to each field beside which something is said, and names what else is wrong; takes the focus.
 * @returns whether all is well, and it hides
 */
export function summarise(
  summary: HTMLElement,
  words: Words,
  fields: readonly DrawnField[],
  others: readonly string[] = [],
): boolean {
  const wrong = fields.filter(({ said }) => said.textContent);
  const links = wrong.map(({ label, said, anchor }) => {
    const link = make('a', { href: `#${anchor.id}` }, label + words.colon + said.textContent);
    link.addEventListener('click', (event) => {
      // An address's fragment does not reach into a shadow root.
      event.preventDefault();
      anchor.focus();
    });
    return link;
  });
  const lines = [...links, ...others].map((line) => make('li', {}, line));
  summary.replaceChildren(foreign(make('strong', {}, words.summary), words), make('ul', {}, ...lines));
  summary.hidden = lines.length === 0;
  summary.focus();
  return summary.hidden;
}
