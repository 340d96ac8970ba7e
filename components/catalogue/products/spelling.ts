import { searchWords } from '@steward/kernel';
import { statement, type Row, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';

/** A word of a query that products do not have, and the one that was looked for in its place. */
const correction = z.object({ word: z.string(), to: z.string() });
export type Correction = Readonly<z.output<typeof correction>>;
export const corrections = z
  .array(correction)
  .meta({ description: 'Words of the query that no product has, and those that were looked for in their place.' });

/** From how many letters on a word may have one mistake, and two. */
const mayHaveOne = 4;
const mayHaveTwo = 8;
/** Words that are alike in many letters would have as many parts; two that are alike share one of their first letters. */
const firstLetters = 7;
/** Of words that share a part, how many are compared. */
const mostSharing = 50;
/** Of products with a word, how many of the newest are looked at. */
const mostWith = 200;
const mostCandidates = 10;

/** Of the words of a query, how many are looked for. */
export const mostAsked = 8;

const mistakesIn = (letters: number): number => (letters < mayHaveOne ? 0 : letters < mayHaveTwo ? 1 : 2);

/** Words of letters that are written with spaces between them: a number is right as it is. */
const spelled = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;

/** The first letters of a word with up to `most` of them left out: at most 29 texts. */
function parts(letters: readonly string[], most: number): Set<string> {
  let last = new Set([letters.slice(0, firstLetters).join('')]);
  const all = new Set(last);
  for (let left = 0; left < most; left++) {
    const next = new Set<string>();
    for (const one of last) {
      const rest = Array.from(one);
      for (const at of rest.keys()) next.add(rest.toSpliced(at, 1).join(''));
    }
    for (const one of next) all.add(one);
    last = next;
  }
  return all;
}

/** How many letters are left out, added, exchanged or swapped with their neighbour; more than `most` where it is more. */
export function mistakesBetween(one: string, other: string, most: number): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  const tooMany = most + 1;
  if (Math.abs(a.length - b.length) > most) return tooMany;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = Array.from({ length: b.length + 1 }, () => tooMany);
    if (i <= most) row[0] = i;
    // Beyond this band there are more mistakes than may be.
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (above[j] ?? tooMany) + 1,
        (row[j - 1] ?? tooMany) + 1,
        (above[j - 1] ?? tooMany) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? (before[j - 2] ?? tooMany) + 1 : tooMany,
      );
    }
    [before, above] = [above, row];
  }
  return Math.min(above[b.length] ?? tooMany, tooMany);
}

/** Looks again with corrected words where nothing was found. @param find answers what has a length */
export async function foundOrCorrected<T extends { readonly length: number }>(
  query: string | undefined,
  find: (query: string | undefined) => Promise<T>,
  correct: (query: string) => Promise<Corrected | undefined>,
): Promise<{ readonly rows: T; readonly corrections: Correction[] }> {
  const rows = await find(query);
  const instead = rows.length > 0 || query === undefined ? undefined : await correct(query);
  return instead === undefined
    ? { rows, corrections: [] }
    : { rows: await find(instead.query), corrections: [...instead.corrections] };
}

export interface Corrected {
  readonly query: string;
  readonly corrections: readonly Correction[];
}

/**
 * Corrects words of a query that no product has, where products have words that are like them: with one mistake from four letters on, with two
 * from eight on.
 * @param among condition on a product named `p` whose words may be told, over `values` from `$2` on
 * @returns the query with the words that products have; undefined where there is nothing to correct
 */
export async function corrected(
  read: (one: Statement) => Promise<Row[]>,
  tenant: string,
  query: string,
  among: string,
  ...values: readonly unknown[]
): Promise<Corrected | undefined> {
  const words = searchWords(query).slice(0, mostAsked);
  /** How many products have a word that begins with it, or is it: of the newest. */
  const having = async (asked: readonly string[], ending: string): Promise<ReadonlyMap<string, number>> => {
    const at = values.length + 2;
    const rows = await read(
      statement(
        `select a.word, count(*)::int as products from unnest($${at}::text[], $${at + 1}::text[]) a (word, last)
         cross join lateral (
           select t.product_id from catalogue.product_term t
           where t.tenant_id = $1::uuid and t.field = 'word' and t.value >= a.word and t.value <= a.last
           order by t.value desc, t.product_id desc limit ${mostWith}
         ) t
         join catalogue.product p on p.tenant_id = $1::uuid and p.product_id = t.product_id
         where ${among} group by a.word`,
        [tenant, ...values, asked, asked.map((word) => word + ending)],
      ),
    );
    return new Map(rows.map((row) => [String(row['word']), Number(row['products'])]));
  };

  const doubtful = words.filter((word) => spelled.test(word) && mistakesIn(Array.from(word).length) > 0);
  if (doubtful.length === 0) return undefined;
  const known = await having(doubtful, '\u{10FFFF}');
  const unknown = doubtful.filter((word) => !known.has(word));
  if (unknown.length === 0) return undefined;

  const asked = unknown.flatMap((word) => {
    const letters = Array.from(word);
    const most = mistakesIn(letters.length);
    return [...parts(letters, most)].map((part) => ({ word, part, most, letters: letters.length }));
  });
  const near = await read(
    statement(
      `select distinct a.asked, s.word
       from jsonb_to_recordset($2::jsonb) a (asked text, part text, shortest int, longest int)
       cross join lateral (
         select s.word from catalogue.spelling s
         where s.tenant_id = $1::uuid and s.part = a.part and s.letters between a.shortest and a.longest
         order by s.letters, s.word limit ${mostSharing}
       ) s`,
      [
        tenant,
        JSON.stringify(
          asked.map(({ word, part, most, letters }) => ({
            asked: word,
            part,
            shortest: letters - most,
            longest: letters + most,
          })),
        ),
      ],
    ),
  );
  const candidates = new Map<string, { readonly to: string; readonly mistakes: number }[]>();
  for (const row of near) {
    const [word, to] = [String(row['asked']), String(row['word'])];
    const most = mistakesIn(Array.from(word).length);
    const mistakes = mistakesBetween(word, to, most);
    if (mistakes <= most) candidates.set(word, [...(candidates.get(word) ?? []), { to, mistakes }]);
  }
  const nearest = new Map(
    [...candidates].map(([word, all]) => [
      word,
      all.toSorted((a, b) => a.mistakes - b.mistakes || (a.to < b.to ? -1 : 1)).slice(0, mostCandidates),
    ]),
  );
  if (nearest.size === 0) return undefined;
  const shown = await having([...new Set([...nearest.values()].flatMap((all) => all.map(({ to }) => to)))], '');
  const made = [...nearest].flatMap(([word, all]): Correction[] => {
    const [best] = all
      .filter(({ to }) => shown.has(to))
      .toSorted((a, b) => a.mistakes - b.mistakes || (shown.get(b.to) ?? 0) - (shown.get(a.to) ?? 0));
    return best === undefined ? [] : [{ word, to: best.to }];
  });
  if (made.length === 0) return undefined;
  const instead = new Map(made.map(({ word, to }) => [word, to]));
  return { query: words.map((word) => instead.get(word) ?? word).join(' '), corrections: made };
}

/** Makes what misspelt words are corrected by be what these products say now. @param had words that they had before */
export const renewSpellings = (
  tx: TenantTransaction,
  had: readonly string[],
  now: readonly { readonly word: string; readonly productId: string }[],
): Statement[] => {
  const { tenant } = tx.context;
  const firstOf = new Map(now.toReversed().map(({ word, productId }) => [word, productId]));
  const learned = [...firstOf].flatMap(([word, productId]) => {
    const letters = Array.from(word);
    // One of five letters is asked for with one mistake at most: six have one left out, and so on.
    const most = letters.length < mayHaveTwo - 2 ? 1 : 2;
    return letters.length < mayHaveOne - 1 || !spelled.test(word)
      ? []
      : [{ word, letters: letters.length, product_id: productId, parts: [...parts(letters, most)] }];
  });
  const gone = [...new Set(had)].filter((word) => !firstOf.has(word) && spelled.test(word));
  return [
    ...(learned.length === 0
      ? []
      : [
          statement(
            `insert into catalogue.spelling (tenant_id, part, letters, word, product_id)
             select $1::uuid, part.text, l.letters, l.word, l.product_id
             from jsonb_to_recordset($2::jsonb) l (word text, letters int, product_id uuid, parts text[])
             cross join lateral unnest(l.parts) part (text)
             where not exists (select from catalogue.spelling s where s.tenant_id = $1::uuid and s.part = l.parts[1]
               and s.letters = l.letters and s.word = l.word)`,
            [tenant, JSON.stringify(learned)],
          ),
        ]),
    ...(gone.length === 0
      ? []
      : [
          statement(
            `delete from catalogue.spelling s using jsonb_to_recordset($2::jsonb) l (word text, letters int, parts text[])
             where s.tenant_id = $1::uuid and s.part = any (l.parts) and s.letters = l.letters and s.word = l.word
               and not exists (select from catalogue.product_term t where t.tenant_id = $1::uuid and t.field = 'word' and t.value = l.word)`,
            [
              tenant,
              JSON.stringify(
                gone.map((word) => {
                  const letters = Array.from(word);
                  return { word, letters: letters.length, parts: [...parts(letters, 2)] };
                }),
              ),
            ],
          ),
        ]),
  ];
};
