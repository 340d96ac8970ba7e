import { type Content, elementsOf } from '@steward/markdown';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A description in Markdown as HTML. HTML in it is text. */
export const pageHtmlOf = (markdown: string): string => elementsOf(markdown).map(htmlOf).join('\n');

function htmlOf(one: Content): string {
  if (typeof one === 'string') return escaped(one);
  const { tag, href, content } = one;
  const begin = href === undefined ? tag : `${tag} href="${escaped(href)}"`;
  return tag === 'br' ? '<br>' : `<${begin}>${content.map(htmlOf).join('')}</${tag}>`;
}
