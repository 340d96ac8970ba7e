// The rules by which people read what they approve, on every page that shows it: nothing is left out, and nothing hides.

/** Control, format, private, unassigned and ignorable characters, and the empty Braille pattern: those that hide, or turn text around. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u2800]/u;
/** Blanks of another width, which look like a space; not those that stand within amounts and French sentences, nor the wide one of Japanese. */
const blank = /[\u1680\u2000-\u2008\u200a\u205f]/u;
const allowed = new Set(['\n', '\t']);
const latin = /\p{Script=Latin}/u;
/** As keyboards write it: without letters of full width, numerals and letters of formulas, which are Latin too. */
const plainLatin = /[A-Za-z\u00aa-\u024f\u1e00-\u1eff]/;
const cyrillic = /\p{Script=Cyrillic}/u;
const greek = /\p{Script=Greek}/u;
/** Those that are drawn as a Latin one is: Unicode Technical Standard 39. */
const lookalike = /[АВЕЅІЈКМНОРСТУХѴаеосрухѕіјһԁԛԝѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧοινκρυϲ]/;
const letter = /[\p{L}\p{M}\p{Nl}]/u;
/** Whether a picture is drawn in colour: once after it, it hides nothing. */
const presentation = /^[\ufe0e\ufe0f]$/;
const picture = /^\p{Extended_Pictographic}$/u;

/** Text of more characters is told how long it is, and scrolls in a place of its own. */
export const longest = 600;

/**
 * Letters that pass for others, by their place: of a word that is Latin otherwise, the Cyrillic ones, and of the Greek ones and those of another form the
 * ones that look Latin; and Cyrillic or Greek words of letters that all look Latin, where nothing else of the text is of that alphabet.
 * @param {string} said @returns {ReadonlySet<number>}
 */
function alike(said) {
  const found = new Set();
  const foreign = [...said].filter((one) => cyrillic.test(one) || greek.test(one));
  const pass = foreign.length > 0 && foreign.every((one) => lookalike.test(one));
  let word = { latin: false, mixed: /** @type {number[]} */ ([]), foreign: /** @type {number[]} */ ([]) };
  let at = 0;
  for (const character of `${said} `) {
    if (!letter.test(character)) {
      if (word.latin) for (const place of word.mixed) found.add(place);
      else if (pass && word.foreign.length > 1) for (const place of word.foreign) found.add(place);
      word = { latin: false, mixed: [], foreign: [] };
    } else if (cyrillic.test(character) || (greek.test(character) && lookalike.test(character))) {
      word.mixed.push(at);
      word.foreign.push(at);
    } else if (plainLatin.test(character)) word.latin = true;
    else if (latin.test(character)) word.mixed.push(at);
    at += 1;
  }
  return found;
}

/**
 * What an agent or a stranger wrote, with characters named that would not be seen, or not for what they are: U+202E.
 * @param {string} said
 * @returns {readonly { readonly text: string, readonly hidden: boolean }[]}
 */
export function piecesOf(said) {
  const pieces = [];
  let plain = '';
  let before = '';
  let at = -1;
  const others = alike(said);
  for (const character of said) {
    at += 1;
    const ofPicture = presentation.test(character) && picture.test(before);
    before = character;
    const isNamed = (unseen.test(character) && !allowed.has(character) && !ofPicture) || blank.test(character);
    if (!isNamed && !others.has(at)) {
      plain += character;
      continue;
    }
    const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    pieces.push({ text: isNamed ? plain : plain + character, hidden: false }, { text: name, hidden: true });
    plain = '';
  }
  return [...pieces, { text: plain, hidden: false }];
}

/** @param {unknown} value @returns {value is Readonly<Record<string, unknown>>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {value is { readonly amount: string, readonly currency: string }} */
export const isMoney = (value) =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  typeof value['amount'] === 'string' &&
  typeof value['currency'] === 'string';

/** A name of ours or of an argument, in words: `party_id` → Party id. @param {string} name */
export const wordsOf = (name) => {
  const spaced = name.replaceAll('_', ' ').trim();
  return spaced === '' ? name : (spaced[0] ?? '').toUpperCase() + spaced.slice(1);
};

/** What is nested deeper is shown as JSON. */
export const deepest = 12;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By id, the names of the things that an action is about. @param {readonly { readonly id: string, readonly name: string | null }[]} facts @returns {ReadonlyMap<string, string>} */
export const namesIn = (facts) =>
  new Map(facts.flatMap(({ id, name }) => (name === null ? [] : [[id.toLowerCase(), name]])));

/** What an id names, where that is known. @param {unknown} given @param {ReadonlyMap<string, string>} called */
export const nameOf = (given, called) =>
  typeof given === 'string' && uuid.test(given) ? called.get(given.toLowerCase()) : undefined;

/**
 * What a member is called: an id that is shown by a name is what that names, `party_id` → Party; any other is an id, `party_id` → Party id.
 * @param {string} name
 * @param {unknown} given its value; of a column, its values
 * @param {ReadonlyMap<string, string>} called
 */
export const labelOf = (name, given, called) => {
  const values = (Array.isArray(given) ? given : [given]).filter((one) => one !== null && one !== undefined);
  const isNamed = values.length > 0 && values.every((one) => nameOf(one, called) !== undefined);
  return wordsOf(isNamed ? name.replace(/_id$/, '') : name);
};

/** Whether a list is a table: objects of nothing but plain values and amounts. @param {readonly unknown[]} items @returns {items is readonly Readonly<Record<string, unknown>>[]} */
export const isFlat = (items) =>
  items.every(
    (item) =>
      isObject(item) &&
      !isMoney(item) &&
      Object.values(item).every((one) => typeof one !== 'object' || one === null || isMoney(one)),
  );

/** @param {unknown} list @param {(one: Readonly<Record<string, unknown>>) => boolean} holds */
const every = (list, holds) => Array.isArray(list) && list.every((one) => isObject(one) && holds(one));
/** @param {unknown} amount */
const isSide = (amount) => amount === null || isMoney(amount);

/**
 * Whether a preview is one of the books: journal entries, and balances before and after.
 * @param {unknown} given
 * @returns {given is Books}
 */
export const isBooks = (given) =>
  isObject(given) &&
  every(given['entries'], ({ lines }) =>
    every(
      lines,
      ({ debit, credit, base }) => isSide(debit) && isSide(credit) && isMoney(debit ?? credit) && isMoney(base),
    ),
  ) &&
  every(given['balances'], ({ before, after }) => isMoney(before) && isMoney(after));

/**
 * @typedef {{ readonly amount: string, readonly currency: string }} Money
 * @typedef {{ readonly code: string, readonly name: string, readonly debit: Money | null, readonly credit: Money | null, readonly base: Money, readonly memo: string | null }} Line
 * @typedef {{ readonly date: string, readonly narration?: string, readonly rate?: string, readonly lines: readonly Line[] }} Entry
 * @typedef {{ readonly entries: readonly Entry[], readonly balances: readonly { readonly code: string, readonly name: string, readonly before: Money, readonly after: Money }[], readonly [more: string]: unknown }} Books
 */

/** Whether an entry is in another currency than the books, so that its rate matters. @param {Entry} entry */
export const isForeign = ({ lines }) =>
  lines.some(({ debit, credit, base }) => (debit ?? credit)?.currency !== base.currency);
