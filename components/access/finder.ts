import type { Statement } from '@steward/sql';
import type { Operation } from './operation.ts';

/** What somebody looks for among all records, in the forms that records are found by. */
export interface Sought {
  readonly tenant: string;
  /** In one case, without white space at its ends; 1–200 characters. */
  readonly text: string;
  /** Its words, without marks and case: at most 8. */
  readonly words: readonly string[];
  /** A number as records show it, such as `INV-00042` or `1001`; the prefix in upper case, digits without zeros before them. */
  readonly number: { readonly prefix: string; readonly digits: string } | undefined;
  /** An amount without its sign in minor units, by how many digits a currency has (0–4); null where that is too few for it. */
  readonly amounts: readonly (string | null)[] | undefined;
  /** How many of each kind are answered at most. */
  readonly limit: number;
}

/**
 * Records of one kind, as the search over all records finds them. Rows of its statements have `id` and `title`, and may have
 * `line` (what tells it from others of that title), `minor` with `currency`, `day` (YYYY-MM-DD), `within` (the record that it is read in)
 * and `exact` (what was typed names it alone).
 */
export interface Finder {
  /** In snake_case. */
  readonly kind: string;
  /** What lists them: whoever may not do that finds none. */
  readonly lists: Operation;
  /**
   * What is read, each bounded in rows whatever the tenant has: by a key, or among the latest `mostLookedThrough`. None: nothing of this kind
   * can be meant.
   */
  statements(sought: Sought): readonly Statement[];
}

/** How many records, the latest, are looked through where no key leads to what they say. */
export const mostLookedThrough = 2_000;

/** After everything that begins with the text, in the order of bytes. */
export const afterAll = (text: string): string => `${text}\u{10FFFF}`;

/** How much of a text is looked through: the database's `position` takes as long as text and needle multiplied. */
const mostCharacters = 300;

/** SQL: whether the beginning of one of these texts has what is sought. @param sought SQL of it, in lower case */
export const says = (columns: readonly string[], sought: string): string =>
  columns.map((column) => `position(${sought} in lower(left(${column}, ${mostCharacters}))) > 0`).join(' or ');
