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
  readonly settles: readonly (Named & { readonly supplierNumber: string | null; readonly reference: string | null })[];
}

/** How alike the words of a line and of an entry are. */
export interface Likeness {
  /** Numbers that both name. */
  readonly numbers: readonly string[];
  /** Whether all of them are few digits, such as the number of an order, or have none: others use the same. */
  readonly weak: boolean;
  /** Whether the entry names numbers of a kind that the line names, and all of them others. */
  readonly other: boolean;
  /** The part of the party's name that the line says, 0 to 1. */
  readonly name: number;
  /** Those words of it. */
  readonly named: readonly string[];
  /** Other words of both. */
  readonly words: readonly string[];
}

/** Reads a line once, to be held against many entries. */
export function likenessTo(text: string): (entry: About) => Likeness {
  const folded = fold(withoutIbans(text.slice(0, longest)));
  const quotes = quotedIn(folded, partsOf(folded));
  const said = new Set(wordsOf(folded));
  const named = namedIn(text);
  const names = new Set(named.map(({ kind, number }) => numberOf(kind, number)));
  return ({ narration, party, reference, settles }) => {
    const own = [...namedIn(narration), ...namedIn(reference ?? ''), ...settles];
    const numbers = own.map(({ kind, number }) => numberOf(kind, number)).filter((one) => names.has(one));
    const theirs = [reference, ...settles.flatMap((one) => [one.supplierNumber, one.reference])].flatMap(
      (one) => one ?? [],
    );
    const quoted = theirs.filter((one) => namedIn(one).length === 0 && quotes(one));
    const both = [...new Set([...numbers, ...quoted])];
    const telling = wordsOf(fold(narration.replaceAll(numbered, ' '))).filter(
      (word) => word.length >= (/\p{L}/u.test(word) ? 3 : 6),
    );
    const name = party === null ? [] : namesOf(party);
    const called = name.filter((word) => said.has(word));
    return {
      numbers: both,
      weak: numbers.length === 0 && both.every(isWeak),
      other: both.length === 0 && own.some(({ kind }) => named.some((one) => one.kind === kind)),
      name: name.length === 0 ? 0 : called.length / name.length,
      named: called,
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

/** Words of a line that may be a reference of somebody's: with a digit, without case. */
export function referencesIn(text: string): readonly string[] {
  const words = withoutIbans(text.slice(0, longest))
    .toLowerCase()
    .split(/[\s|,;()"'#]+/);
  return [
    ...new Set(
      words
        .map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''))
        .map((word) => word.replace(/[.:!?/*+-]$/, ''))
        .filter((word) => word.length >= shortest && word.length <= longestReference && /\d/.test(word)),
    ),
  ];
}

/** Fewer digits than this stand in many texts. */
const tellingDigits = 7;
const isWeak = (reference: string): boolean => {
  const parts = referenceOf(reference);
  return parts.every((part) => /^\p{N}/u.test(part))
    ? parts.join('').length < tellingDigits
    : !parts.some((part) => /^\p{N}/u.test(part));
};

/** The digits of an account hold any number; of what is no whole account number by its check digits nothing is taken away. */
function withoutIbans(text: string): string {
  let kept = '';
  let from = 0;
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])[a-z]{2}\d{2}/giu)) {
    if (index < from) continue;
    const to = ibanEnd(text, index);
    if (to === undefined) continue;
    kept += `${text.slice(from, index)}|`;
    from = to;
  }
  return kept + text.slice(from);
}

/** Characters of an account number, country and check digits included (ISO 13616). */
const [shortestIban, longestIban] = [15, 34];

/** Where an account number that begins at a place ends; the longest that its check digits allow. */
function ibanEnd(text: string, start: number): number | undefined {
  let plain = '';
  let end: number | undefined;
  for (let at = start; at < text.length && plain.length < longestIban; at += 1) {
    const char = text[at] ?? '';
    if (/[a-z0-9]/i.test(char)) plain += char.toUpperCase();
    else if (char !== ' ' || text[at - 1] === ' ') break;
    else continue;
    const ends = !/[\p{L}\p{N}]/u.test(text[at + 1] ?? '');
    if (ends && plain.length >= shortestIban && isIban(plain)) end = at + 1;
  }
  return end;
}

function isIban(plain: string): boolean {
  let rest = 0;
  for (const char of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

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
  const stray = strayIn(folded, parts);
  const runs = new Map<number, ReadonlySet<string>>();
  const runsOf = (count: number): ReadonlySet<string> => {
    const known = runs.get(count);
    if (known !== undefined) return known;
    const made = new Set<string>();
    for (let at = 0; at + count <= parts.length; at += 1)
      if (begins[at] === true && ends[at + count - 1] === true && (count > 1 || stray[at] === false))
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

const moneySign = /^(?:eur|usd|chf|gbp|€|\$|£)/;
/** Beginnings of the months in the languages of banks, folded. */
const months = new Set(
  'jan feb fev mar apr abr avr may mai maj mag jun jui giu jul lug aug aou ago sep set okt oct out ott nov dez dec dic gen ene'.split(
    ' ',
  ),
);

/** Of each part whether it is digits of something else: of an amount, a date, or the number of a card or telephone that is written in groups. */
function strayIn(folded: string, parts: readonly Part[]): readonly boolean[] {
  const isDigits = ({ text }: Part): boolean => /^\p{N}/u.test(text);
  const groups: number[] = [];
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    const follows =
      before !== undefined && isDigits(before) && isDigits(part) && folded.slice(before.to, part.from) === ' ';
    groups.push(follows ? (groups[at - 1] ?? 0) + 1 : 1);
  }
  for (let at = parts.length - 2; at >= 0; at -= 1) if ((groups[at + 1] ?? 0) > 1) groups[at] = groups[at + 1] ?? 1;
  return parts.map((part, at) => {
    if (!isDigits(part)) return false;
    const before = parts[at - 1];
    const word = before === undefined || isDigits(before) ? '' : before.text;
    const ahead = folded.slice(Math.max(0, part.from - 4), part.from).trimEnd();
    const behind = folded.slice(part.to, part.to + 4);
    return (
      (groups[at] ?? 1) > 2 ||
      /^,\d{1,2}(?!\d)/.test(behind) ||
      moneySign.test(behind.trimStart()) ||
      /(?:eur|usd|chf|gbp|€|\$|£)$/.test(ahead) ||
      (/^(?:19|20)\d\d$/.test(part.text) && months.has(word.slice(0, 3)))
    );
  });
}

/** What banks leave out of names, abbreviate, or add. */
const common = new Set(
  `ag kg kgaa ug ohg gmbh mbh ltd limited llc llp plc inc corp corporation co company sa sas sarl srl spa sl bv nv ab as aps oy oyj
  sp zoo sro doo kft and und et the`.split(/\s+/),
);

/** The words that tell of whom a name is. */
function namesOf(name: string): readonly string[] {
  const words = [...new Set(wordsOf(fold(name)))];
  const telling = words.filter((word) => word.length > 1 && !common.has(word));
  return telling.length === 0 ? words : telling;
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
