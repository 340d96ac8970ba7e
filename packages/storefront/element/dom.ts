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

/** Sets an attribute, or takes it away where there is nothing to say. */
export function mark(element: HTMLElement, attribute: string, value: string | false | null | undefined): void {
  if (value) element.setAttribute(attribute, value);
  else element.removeAttribute(attribute);
}
