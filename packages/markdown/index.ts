/** An element of a page, with what is in it: text as it is, which may be empty, to be escaped by whoever draws it. */
export interface Element {
  readonly tag: Tag;
  /** Of a link: http(s). */
  readonly href?: string | undefined;
  readonly content: readonly Content[];
}
export type Content = Element | string;
type Tag = 'p' | 'ul' | 'ol' | 'li' | 'strong' | 'em' | 'code' | 'a' | 'br' | Heading;
type Heading = 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6';

const inline =
  /\\([!-/:-@[-`{-~])|\\\n|(\*\*|__|[*_])(?=\S)([^*_\n]{1,500})\2|\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|`([^`\n]{1,500})`/g;

/**
 * Reads paragraphs, headings, lists, emphasis, code and links by http(s). Everything else is text, HTML too. Linear in the length of the text.
 * @param above levels of headings that the page has above it, 0–5
 */
export function elementsOf(markdown: string, above = 0): Element[] {
  const drawn: Element[] = [];
  let kind: 'p' | 'ul' | 'ol' | Heading = 'p';
  let lines: string[] = [];
  const isList = (): boolean => kind.endsWith('l');
  const close = (next: typeof kind = 'p'): void => {
    if (lines.length) drawn.push(element(kind, isList() ? lines.map(itemOf) : inlines(lines.join('\n'))));
    kind = next;
    lines = [];
  };
  for (const line of markdown.split(/\r?\n/)) {
    const [, marks, bullet, text] = /^(?:(#{1,6})| {0,20}(?:([-*+])|\d{1,9}[.)])) (.*)$/.exec(line) ?? [];
    const next = marks
      ? (`h${Math.min(6, above + marks.length)}` as Heading)
      : text === undefined
        ? 'p'
        : bullet
          ? 'ul'
          : 'ol';
    if (!line.trim()) close();
    else if (next === 'p' && isList() && /^\s/.test(line)) lines.push(`${lines.pop()}\n${line}`);
    else {
      if (marks || next !== kind) close(next);
      lines.push(text ?? line);
    }
  }
  close();
  return drawn;
}

const element = (tag: Tag, content: readonly Content[], href?: string): Element => ({ tag, content, href });
const itemOf = (item: string): Element => element('li', inlines(item));

function inlines(text: string): Content[] {
  const found: Content[] = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const [whole, escaped, mark, marked = '', label = '', href, code] = match;
    found.push(text.slice(at, match.index));
    at = match.index + whole.length;
    if (mark) found.push(element(mark.length > 1 ? 'strong' : 'em', [marked]));
    else if (href) found.push(element('a', [label], href));
    else if (code) found.push(element('code', [code]));
    else found.push(escaped ?? element('br', []));
  }
  return [...found, text.slice(at)];
}
