/** As pages of the shop read them (packages/storefront/shop/markdown.ts). */
const inline =
  /\\([!-/:-@[-`{-~])|\\\n|(\*\*|__)(?=\S)([^*_\n]{1,500})\2|([*_])(?=\S)([^*_\n]{1,500})\4|\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|`([^`\n]{1,500})`/g;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A description in Markdown as HTML: paragraphs, headings, lists, emphasis, code and links by http(s). HTML in it is text. */
export function pageHtmlOf(markdown: string): string {
  const drawn: string[] = [];
  let [list, items, paragraph]: [string, string[], string[]] = ['', [], []];
  const close = (): void => {
    if (paragraph.length > 0) drawn.push(`<p>${inlines(paragraph.join('\n'))}</p>`);
    if (items.length > 0) drawn.push(`<${list}>${items.map((item) => `<li>${item}</li>`).join('')}</${list}>`);
    [list, items, paragraph] = ['', [], []];
  };
  for (const block of markdown.replaceAll('\r', '').split(/\n{2,}/)) {
    for (const line of block.split('\n').filter((one) => one.trim() !== '')) {
      const heading = /^(#{1,6}) (.*)$/.exec(line);
      const item = /^ {0,20}(?:([-*+])|\d{1,9}[.)]) (.*)$/.exec(line);
      if (heading !== null) {
        close();
        const level = heading[1]?.length ?? 1;
        drawn.push(`<h${level}>${inlines(heading[2] ?? '')}</h${level}>`);
      } else if (item !== null) {
        const kind = item[1] === undefined ? 'ol' : 'ul';
        if (list !== kind || paragraph.length > 0) close();
        list = kind;
        items.push(inlines(item[2] ?? ''));
      } else if (items.length > 0 && /^\s/.test(line))
        items.push(`${(items.pop() ?? '').replace(/\\$/, '')}<br>${inlines(line.trim())}`);
      else {
        if (items.length > 0) close();
        paragraph.push(line);
      }
    }
    close();
  }
  return drawn.join('\n');
}

function inlines(text: string): string {
  const found: string[] = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const [whole, mark, , strong, , emphasis, label, address, code] = match;
    found.push(escaped(text.slice(at, match.index)));
    at = match.index + whole.length;
    if (strong !== undefined) found.push(`<strong>${escaped(strong)}</strong>`);
    else if (emphasis !== undefined) found.push(`<em>${escaped(emphasis)}</em>`);
    else if (address !== undefined) found.push(`<a href="${escaped(address)}">${escaped(label ?? '')}</a>`);
    else if (code !== undefined) found.push(`<code>${escaped(code)}</code>`);
    else found.push(mark === undefined ? '<br>' : escaped(mark));
  }
  return [...found, escaped(text.slice(at))].join('');
}
