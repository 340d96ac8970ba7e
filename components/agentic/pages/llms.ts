import type { OpenDoor } from '../doors/find.ts';
import type { Places } from './places.ts';

export interface Sold {
  readonly id: string;
  readonly title: string;
  readonly vendor: string | null;
  readonly priceRanges: readonly { readonly currency: string; readonly lowest: string; readonly highest: string }[];
  readonly available: boolean;
}

/** Products that are listed; agents search for others. */
export const mostListed = 100;
const mostCurrencies = 5;
const longestLine = 200;

/** What merchants wrote, as one line of Markdown in which nothing is a mark. */
export function plain(text: string): string {
  const line = text
    .slice(0, longestLine)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim();
  return line.replace(/[\\`*_[\]<>#|~!]/g, '\\$&');
}

const priceOf = ({ priceRanges }: Sold): string =>
  priceRanges
    .slice(0, mostCurrencies)
    .map(({ currency, lowest, highest }) => `${lowest === highest ? lowest : `${lowest} to ${highest}`} ${currency}`)
    .join(', ');

const lineOf = (one: Sold): string => {
  const by = one.vendor === null || one.vendor === '' ? '' : ` by ${plain(one.vendor)}`;
  const price = priceOf(one);
  return `- ${plain(one.title)}${by}: ${price === '' ? '' : `${price}, `}${one.available ? 'in stock' : 'out of stock'} (\`${one.id}\`)`;
};

/** What a brand says to models that read (llmstxt.org): what it sells, and how agents buy it. */
export function llmsText(
  name: string,
  doors: readonly Pick<OpenDoor, 'protocol' | 'mode'>[],
  { doors: places }: Places,
  { items, more }: { readonly items: readonly Sold[]; readonly more: boolean },
): string {
  const called = plain(name);
  const open = new Map(doors.map(({ protocol, mode }) => [protocol, mode]));
  const tests = (mode: string | undefined): string =>
    mode === 'test' ? ' Orders are tests: nothing is charged or sent.' : '';
  const ways = [
    ...(open.has('ucp')
      ? [
          `- [Universal Commerce Protocol](${places.ucp.discovery}): REST at ${places.ucp.endpoint}, MCP at ${places.ucp.endpoint}/mcp, A2A at ${places.ucp.endpoint}/a2a. Sign requests by a key of your profile.${tests(open.get('ucp'))}`,
        ]
      : []),
    ...(open.has('acp')
      ? [
          `- [Agentic Commerce Protocol](${places.acp.discovery}): REST at ${places.acp.endpoint}, MCP at ${places.acp.endpoint}/mcp, with a key that the shop issues to your platform.${tests(open.get('acp'))}`,
        ]
      : []),
  ];
  const variants = [
    ...(open.has('ucp') ? [`${places.ucp.endpoint}/catalog/lookup`] : []),
    ...(open.has('acp') ? [`${places.acp.endpoint}/feeds/products.jsonl`] : []),
  ];
  const ids =
    variants.length === 0
      ? ''
      : `Ids are those of products. What is bought is a variant of one: its id is at ${variants.join(' and ')}.\n\n`;
  const search = open.has('ucp')
    ? `\n\nThere are more: search for them at ${places.ucp.endpoint}/catalog/search.`
    : '\n\nThere are more.';
  return [
    `# ${called}`,
    `> What ${called} sells, and how shopping agents buy it.`,
    '## How agents buy',
    ways.join('\n'),
    '## Products',
    (items.length === 0 ? 'Nothing is sold at the moment.' : `${ids}${items.map(lineOf).join('\n')}`) +
      (more ? search : ''),
    '',
  ].join('\n\n');
}
