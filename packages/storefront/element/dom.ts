import type { Words } from '../messages/catalogue.ts';

type Child = Node | string;

/** Makes an element. Attribute names are ours; whatever comes from a schema is an attribute's value or text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Shows text, or hides the element where there is none. */
export function say(element: HTMLElement, text: string): void {
  element.textContent = text;
  element.hidden = text === '';
}

/** Marks what is said in English because the language of its place is not known here; such a place may be written from right to left. */
export function foreign<E extends HTMLElement>(element: E, words?: Words): E {
  const english = words?.english;
  mark(element, 'lang', english && 'en');
  mark(element, 'dir', english && 'ltr');
  return element;
}

/** Sets an attribute, or takes it away where there is nothing to say. */
export function mark(element: HTMLElement, attribute: string, value: string | false | null | undefined): void {
  if (value) element.setAttribute(attribute, value);
  else element.removeAttribute(attribute);
}
