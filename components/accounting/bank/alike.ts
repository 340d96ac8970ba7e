import { normalized } from '@steward/kernel';
import { type DocumentKind, documentKinds, natures, numberOf } from '../documents/kind.ts';

/** A document or payment of ours by its number. */
export interface Named {
  readonly kind: DocumentKind | 'payment';
  readonly number: bigint;
}

const kinds = new Map<string, Named['kind']>([
  ['PAY', 'payment'],
  ...documentKinds.map((kind) => [natures[kind].prefix, kind] as const),
]);

/** Whole numbers only: one that continues with `-2`, or begins with `ACME-`, belongs to somebody else. */
const numbered =
  /(?<![\p{L}\p{N}])(?<![\p{L}\p{N}][-_])(INV|CN|BILL|SC|PAY)[ \-_.#:/]{0,3}(\d{1,18})(?![\p{L}\p{N}]|[-_/.:]\d)/giu;

/**
 * Documents and payments that a text names by prefix and digits: `INV-00002`, `inv 2` and `INV2` are one, `PAY-00002` is another. Digits
 * alone name nothing, as each kind counts for itself.
 */
export function namedIn(text: string): readonly Named[] {
  return [...text.matchAll(numbered)].flatMap(([, prefix = '', digits = '']) => {
    const kind = kinds.get(prefix.toUpperCase());
    return kind === undefined ? [] : [{ kind, number: BigInt(digits) }];
  });
}

/** What an entry is known to be about. */
export interface About {
  readonly narration: string;
  /** Of a payment: whose, what was noted with it, and what it settles. */
  readonly party: string | null;
  readonly reference: string | null;
  readonly settles: readonly (Named & { readonly supplierNumber: string | null })[];
}

/** How alike the words of a line and of an entry are. */
export interface Likeness {
  /** Numbers that both name. */
  readonly numbers: readonly string[];
  /** Whether the entry names numbers of a kind that the line names, and all of them others. */
  readonly other: boolean;
  /** The part of the party's name that the line says, 0 to 1. */
  readonly name: number;
  /** Other words of both. */
  readonly words: readonly string[];
}

/** Reads a line once, to be held against many entries. */
export function likenessTo(text: string): (entry: About) => Likeness {
  const folded = fold(text);
  const quotes = quotedIn(folded, partsOf(folded));
  const said = new Set(wordsOf(folded));
  const named = namedIn(text);
  const names = new Set(named.map(({ kind, number }) => numberOf(kind, number)));
  return ({ narration, party, reference, settles }) => {
    const own = [...namedIn(narration), ...namedIn(reference ?? ''), ...settles];
    const numbers = own.map(({ kind, number }) => numberOf(kind, number)).filter((one) => names.has(one));
    const theirs = [reference, ...settles.map(({ supplierNumber }) => supplierNumber)].flatMap((one) => one ?? []);
    const quoted = theirs.filter((one) => namedIn(one).length === 0 && quotes(one));
    const both = [...new Set([...numbers, ...quoted])];
    const telling = wordsOf(fold(narration.replaceAll(numbered, ' '))).filter(
      (word) => word.length >= (/\p{L}/u.test(word) ? 3 : 6),
    );
    return {
      numbers: both,
      other: both.length === 0 && own.some(({ kind }) => named.some((one) => one.kind === kind)),
      name: party === null ? 0 : shareOf(party, said),
      words: party === null ? [...new Set(telling)].filter((word) => said.has(word)) : [],
    };
  };
}

interface Part {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Runs of letters and runs of digits, these without leading noughts. */
const partsOf = (folded: string): Part[] =>
  [...folded.matchAll(/\p{L}+|\p{N}+/gu)].map(({ 0: text, index }) => ({
    text: text.replace(/^0+(?=\d)/, ''),
    from: index,
    to: index + text.length,
  }));

/** Of a reference, letters and digits that are more than chance; and what one has at most: longer ones are texts. */
const shortest = 4;
const [longestReference, mostParts] = [100, 16];

const referenceOf = (text: string): readonly string[] =>
  text.length > longestReference ? [] : partsOf(fold(text)).map((part) => part.text);

/**
 * Whether a text contains a whole reference, whatever is between its letters and digits. What follows each other in the text is written down
 * once for each count of parts, so that a reference is looked up and the text is not gone through for each.
 */
function quotedIn(folded: string, parts: readonly Part[]): (reference: string) => boolean {
  const begins = parts.map(
    ({ from }) => !/(?:[\p{L}\p{N}]|[\p{L}\p{N}][-_]|\d[/.])$/u.test(folded.slice(Math.max(0, from - 2), from)),
  );
  const ends = parts.map(({ to }) => !/^(?:[\p{L}\p{N}]|[-_/.:]\d)/u.test(folded.slice(to, to + 2)));
  const runs = new Map<number, ReadonlySet<string>>();
  const runsOf = (count: number): ReadonlySet<string> => {
    const known = runs.get(count);
    if (known !== undefined) return known;
    const made = new Set<string>();
    for (let at = 0; at + count <= parts.length; at += 1)
      if (begins[at] === true && ends[at + count - 1] === true)
        made.add(
          parts
            .slice(at, at + count)
            .map(({ text }) => text)
            .join(' '),
        );
    runs.set(count, made);
    return made;
  };
  return (reference) => {
    const wanted = referenceOf(reference);
    if (wanted.length > mostParts || wanted.join('').length < shortest) return false;
    return runsOf(wanted.length).has(wanted.join(' '));
  };
}

/** What banks leave out of names, abbreviate, or add. */
const common = new Set(
  `ag kg kgaa ug ohg gmbh mbh ltd limited llc llp plc inc corp corporation co company sa sas sarl srl spa sl bv nv ab as aps oy oyj
  sp zoo sro doo kft and und et the`.split(/\s+/),
);

function shareOf(name: string, said: ReadonlySet<string>): number {
  const words = [...new Set(wordsOf(fold(name)))];
  const telling = words.filter((word) => word.length > 1 && !common.has(word));
  const of = telling.length === 0 ? words : telling;
  return of.length === 0 ? 0 : of.filter((word) => said.has(word)).length / of.length;
}

const wordsOf = (folded: string): readonly string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Without case and marks on letters; `Müller`, `MUELLER` and `MULLER` are one. */
const fold = (text: string): string =>
  normalized(text.slice(0, longest), 'NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll(/([aou])e/g, '$1');
/** Of a line, whose three texts have up to 3,000 characters. */
const longest = 3200;
