/** The language of a place in the page: its own `locale`, the nearest `lang` outside, else what the visitor's browser asks for. */
export function languageOf(element: HTMLElement): string {
  let lang = element.getAttribute('locale');
  for (
    let node: Node | undefined = element;
    node && !lang;
    node = node.parentNode ?? (node as Partial<ShadowRoot>).host
  )
    lang = (node as Element).getAttribute?.('lang');
  return lang || navigator.language;
}
