/** The language of a place in the page: its own `locale`, the nearest `lang` outside, else what the visitor's browser asks for. */
export function languageOf(element: HTMLElement): string {
  const own = element.getAttribute('locale');
  if (own) return own;
  for (
    let node: Node | null = element;
    node !== null;
    node = node.parentNode ?? (node as Partial<ShadowRoot>).host ?? null
  ) {
    const lang = (node as Partial<Element>).getAttribute?.('lang');
    if (lang) return lang;
  }
  return navigator.language;
}
