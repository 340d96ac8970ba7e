/** An element of a page, with what is in it: text as it is, to be escaped by whoever draws it. */
export interface Element {
  readonly tag: Tag;
  /** Of a link: http(s). */
  readonly href?: string;
  readonly content: readonly Content[];
}
export type Content = Element | string;
type Tag = 'p' | 'ul' | 'ol' | 'li' | 'strong' | 'em' | 'code' | 'a' | 'br' | Heading;
type Heading = 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6';

const inline =
  /\\([!-/:-@[-`{-~])|\\\n|(\*\*|__)(?=\S)([^*_\n]{1,500})\2|([*_])(?=\S)([^*_\n]{1,500})\4|\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|`([^`\n]{1,500})`/g;

/**
 * Reads paragraphs, headings, lists, emphasis, code and links by http(s). Everything else is text, HTML too. Linear in the length of the text.
 * @param level of the first heading, 1–6
 */
export function elementsOf(markdown: string, level = 1): Element[] {
  const drawn: Element[] = [];
  const blocks = markdown.replaceAll('\r', '').split(/\n{2,}/);
  for (const block of blocks) {
    let items: string[] = [];
    let list: 'ul' | 'ol' | undefined;
    let paragraph: string[] = [];
    const close = (): void => {
      if (paragraph.length) drawn.push({ tag: 'p', content: inlines(paragraph.join('\n')) });
      if (list) drawn.push({ tag: list, content: items.map((item) => ({ tag: 'li', content: inlines(item) })) });
      [list, items, paragraph] = [undefined, [], []];
    };
    for (const line of block.split('\n').filter((one) => one.trim())) {
      const [, marks, heading = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
      const [, bullet, item] = /^ {0,20}(?:([-*+])|\d{1,9}[.)]) (.*)$/.exec(line) ?? [];
      const kind = bullet ? 'ul' : 'ol';
      if (marks) {
        close();
        drawn.push({ tag: `h${Math.min(6, level - 1 + marks.length)}` as Heading, content: inlines(heading) });
      } else if (item) {
        if (list !== kind) close();
        list = kind;
        items.push(item);
      } else if (list && /^\s/.test(line)) items.push(`${items.pop()}\n${line.trim()}`);
      else {
        if (list) close();
        paragraph.push(line);
      }
    }
    close();
  }
  return drawn;
}

function inlines(text: string): Content[] {
  const found: Content[] = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const [whole, escaped, , strong, , em, label, href, code] = match;
    if (at < match.index) found.push(text.slice(at, match.index));
    at = match.index + whole.length;
    if (strong) found.push({ tag: 'strong', content: [strong] });
    else if (em) found.push({ tag: 'em', content: [em] });
    else if (href) found.push({ tag: 'a', href, content: [label ?? ''] });
    else if (code) found.push({ tag: 'code', content: [code] });
    else found.push(escaped ?? { tag: 'br', content: [] });
  }
  if (at < text.length) found.push(text.slice(at));
  return found;
}
