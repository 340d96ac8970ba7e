import { dictionary } from '@steward/kernel';

const longestAddress = 2_000;
/** Deeper lists are shown as deep as this. */
const deepest = 6;

const named = dictionary<string>({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  bull: '•',
  middot: '·',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  times: '×',
  frac12: '½',
});

const ends = new Set([
  'p',
  'div',
  'section',
  'article',
  'table',
  'tr',
  'blockquote',
  'pre',
  'figure',
  'hr',
  'dl',
  'dt',
]);
const marks = dictionary<string>({ b: '**', strong: '**', i: '*', em: '*' });
/** What is between the tags is no text of the page. */
const unseen = /^(?:script|style|template|noscript|iframe)$/;

/** What is within a pair of tags that become marks. */
interface Span {
  readonly tag: string;
  readonly mark: string;
  readonly address?: string | undefined;
  text: string;
}

/**
 * The Markdown of a description in HTML: paragraphs, line breaks, emphasis, headings, lists and links by http(s). Other tags go and
 * their text stays, except that of scripts and styles. Grows with the length of the text.
 */
export function markdownOf(html: string): string {
  const blocks: { readonly text: string; readonly item: boolean }[] = [];
  const lists: { readonly ordered: boolean; count: number }[] = [];
  const spans: Span[] = [];
  let base = '';
  let prefix = '';
  const add = (text: string): void => {
    const open = spans.at(-1);
    if (open === undefined) base += text;
    else open.text += text;
  };
  const close = (): void => {
    const span = spans.pop();
    if (span !== undefined) add(markedUp(span));
  };
  const end = (next = ''): void => {
    while (spans.length > 0) close();
    const item = /^ *(?:-|\d+\.) /.test(prefix);
    const text = linesOf(base, prefix, item);
    if (text !== '') blocks.push({ text: `${prefix}${text}`, item });
    if (text !== '' || next !== '') prefix = next;
    base = '';
  };
  const open = (tag: string, whole: string): void => {
    const heading = /^h([1-6])$/.exec(tag)?.[1];
    if (tag === 'br') return add('\n');
    if (heading !== undefined) return end(`${'#'.repeat(Number(heading))} `);
    if (tag === 'ul' || tag === 'ol') {
      end();
      lists.push({ ordered: tag === 'ol', count: 0 });
    } else if (tag === 'li') {
      const list = lists.at(-1) ?? { ordered: false, count: 0 };
      list.count += 1;
      const depth = Math.min(Math.max(lists.length - 1, 0), deepest);
      end(`${'  '.repeat(depth)}${list.ordered ? `${list.count}.` : '-'} `);
    } else if (ends.has(tag)) {
      // A paragraph within an item stays in it.
      if (base.trim() !== '' || spans.length > 0) end();
    } else if (tag === 'td' || tag === 'th') add(' ');
    else {
      const address = tag === 'a' ? addressIn(whole) : undefined;
      const mark = marks[tag] ?? (address === undefined ? undefined : '[');
      // A mark within the same mark says nothing more.
      if (mark !== undefined && spans.every((span) => span.mark !== mark))
        spans.push({ tag: tag in marks ? mark : 'a', mark, address, text: '' });
    }
  };
  const shut = (tag: string): void => {
    if (/^h[1-6]$/.test(tag) || tag === 'li' || ends.has(tag)) {
      end();
      if (tag !== 'p' && tag !== 'div') prefix = '';
    } else if (tag === 'ul' || tag === 'ol') {
      end();
      prefix = '';
      lists.pop();
    } else {
      const of = tag === 'a' ? 'a' : marks[tag];
      if (of === undefined || spans.every((span) => span.tag !== of)) return;
      while (spans.length > 0 && spans.at(-1)?.tag !== of) close();
      close();
    }
  };
  for (const piece of piecesOf(html)) {
    if (!('tag' in piece)) add(textOf(piece.text));
    else if (piece.shut) shut(piece.tag);
    else open(piece.tag, piece.whole);
  }
  end();
  return blocks
    .map(
      ({ text, item }, index) => (index === 0 ? '' : item && blocks[index - 1]?.item === true ? '\n' : '\n\n') + text,
    )
    .join('');
}

type Piece = { readonly text: string } | { readonly tag: string; readonly shut: boolean; readonly whole: string };

function* piecesOf(html: string): Generator<Piece> {
  let [at, from] = [0, 0];
  while (at !== -1 && at < html.length) {
    at = html.indexOf('<', at);
    if (at === -1) break;
    if (!/[a-z/!?]/i.test(html[at + 1] ?? '')) {
      at += 1;
      continue;
    }
    const comment = html.startsWith('<!--', at);
    const stop = html.indexOf(comment ? '-->' : '>', at);
    if (from < at) yield { text: html.slice(from, at) };
    // A tag that never ends, like a comment, hides what follows, as in a browser.
    if (stop === -1) return;
    const whole = html.slice(at, stop + 1);
    const tag = (/^<\/?([a-z][a-z0-9]{0,19})(?![a-z0-9])/i.exec(whole)?.[1] ?? '').toLowerCase();
    const shut = whole.startsWith('</');
    from = stop + (comment ? 3 : 1);
    if (!shut && unseen.test(tag)) {
      const closing = /<\/(?:script|style|template|noscript|iframe)/gi;
      closing.lastIndex = from;
      const found = closing.exec(html);
      if (found === null) return;
      from = found.index;
    } else if (tag !== '') yield { tag, shut, whole };
    at = from;
  }
  if (from < html.length) yield { text: html.slice(from) };
}

/** The text as Markdown that means nothing but it, with its white space as pages show it. */
const textOf = (html: string): string =>
  html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(
      /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8}\d{0,2});/gi,
      (entity, name: string) => characterOf(name) ?? entity,
    )
    .replaceAll(/[\\`*_[\]]/g, String.raw`\$&`);

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return named[name];
  const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isText = point >= 32 && point <= 0x10_ff_ff && (point < 0xd8_00 || point > 0xdf_ff);
  return isText ? String.fromCodePoint(point) : ' ';
}

/** A block's lines as they are written in a paragraph, an item or a heading; two breaks make another paragraph. */
function linesOf(text: string, prefix: string, item: boolean): string {
  const lines = text.split('\n').map((line) => startsAsText(line.trim()));
  if (prefix.startsWith('#')) return lines.filter((line) => line !== '').join(' ');
  if (item) return lines.filter((line) => line !== '').join(`\\\n${' '.repeat(prefix.length)}`);
  const written: string[] = [];
  lines.forEach((line, index) => {
    if (line === '') return;
    if (written.length > 0) written.push(lines[index - 1] === '' ? '\n\n' : '\\\n');
    written.push(line);
  });
  return written.join('');
}

/** A line that would be another kind of block by its first characters. */
const startsAsText = (text: string): string =>
  text.replace(/^(#{1,6}(?=\s)|[-+>](?=\s|$))/, String.raw`\$1`).replace(/^(\d{1,9})([.)])(?=\s)/, String.raw`$1\$2`);

function markedUp({ mark, text, address }: Span): string {
  const inner = text.trim();
  if (inner === '') return text === '' ? '' : ' ';
  const [before, after] = [text.startsWith(' ') ? ' ' : '', text.endsWith(' ') ? ' ' : ''];
  const whole = address === undefined ? `${mark}${inner}${mark}` : `[${inner}](${address})`;
  return `${before}${whole}${after}`;
}

function addressIn(tag: string): string | undefined {
  const found = /\shref\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag);
  const given = textOfAttribute(found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
  const url = given.length > longestAddress ? null : URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}

const textOfAttribute = (text: string): string =>
  text
    .slice(0, longestAddress + 1)
    .replaceAll('&amp;', '&')
    .trim();

/** A description as HTML for other systems: its paragraphs and line breaks. Marks of Markdown stay as text. */
export const htmlOf = (markdown: string): string =>
  markdown
    .split('\n\n')
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map(
      (block) =>
        `<p>${block.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')}</p>`,
    )
    .join('\n');
