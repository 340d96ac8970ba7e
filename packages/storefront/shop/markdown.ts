import { make } from '../element/dom.ts';

type Inline = Node | string;

/** Longer texts are shown as plain paragraphs. */
const longest = 50_000;
const inline =
  /\\([!-/:-@[-`{-~])|\\\n|(\*\*|__)(?=\S)([^*_\n]{1,500})\2|([*_])(?=\S)([^*_\n]{1,500})\4|\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|`([^`\n]{1,500})`/g;

/**
 * Paragraphs, headings, lists, emphasis, code and links by http(s), as nodes: nothing in the text becomes markup, and HTML in it is text.
 * @param level of the first heading
 */
export function markdown(text: string, level: number): Node[] {
  const blocks = text.replaceAll('\r', '').split(/\n{2,}/);
  return blocks.flatMap((block) => drawBlock(block.slice(0, longest), level));
}

function drawBlock(block: string, level: number): Node[] {
  const lines = block.split('\n').filter((line) => line.trim());
  const drawn: Node[] = [];
  let paragraph: string[] = [];
  let list: HTMLElement | undefined;
  const close = (): void => {
    if (paragraph.length) drawn.push(make('p', {}, ...inlines(paragraph.join('\n'))));
    paragraph = [];
  };
  for (const line of lines) {
    const [, marks, heading = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
    const [, bullet = '', item = ''] = /^ {0,20}(?:([-*+])|\d{1,9}[.)]) (.*)$/.exec(line) ?? [];
    if (marks) {
      close();
      list = undefined;
      drawn.push(make(`h${Math.min(6, level - 1 + marks.length)}` as 'h2', {}, ...inlines(heading)));
    } else if (item) {
      close();
      const tag = bullet ? 'ul' : 'ol';
      if (list?.localName !== tag) drawn.push((list = make(tag)));
      list.append(make('li', {}, ...inlines(item)));
    } else if (list?.lastChild && /^\s/.test(line))
      list.lastChild.appendChild(make('span', {}, ' ', ...inlines(line.trim())));
    else {
      list = undefined;
      paragraph.push(line);
    }
  }
  close();
  return drawn;
}

function inlines(text: string): Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const [whole, escaped, , strong, , emphasis, label, address, code] = match;
    found.push(text.slice(at, match.index));
    at = match.index + whole.length;
    if (strong) found.push(make('strong', {}, strong));
    else if (emphasis) found.push(make('em', {}, emphasis));
    else if (address) found.push(make('a', { href: address, rel: 'nofollow noopener' }, label ?? ''));
    else if (code) found.push(make('code', {}, code));
    else found.push(escaped ?? make('br'));
  }
  return [...found, text.slice(at)];
}
