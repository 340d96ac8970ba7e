import {
  deepest,
  isBooks,
  isFlat,
  isForeign,
  isMoney,
  labelOf,
  longest,
  nameOf,
  namesIn,
  piecesOf,
  wordsOf,
} from './reading.js';

// Everything on this page that an agent could have written goes through `text`: into text nodes only, isolated from the
// direction of what stands around it, with characters that would not be seen shown as what they are.

/** An element: attributes and listeners by name, children as nodes or trusted words of ours. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== false));
  return made;
}

export function text(given) {
  const said = String(given);
  const shown = el('bdi', { class: 'text' });
  for (const { text: piece, hidden } of piecesOf(said))
    shown.append(
      hidden ? el('span', { class: 'hidden-character', title: `A hidden character, ${piece}` }, piece) : piece,
    );
  if (said.length <= longest) return shown;
  const label = `${said.length} characters`;
  return el(
    'span',
    {},
    el('span', { class: 'quiet' }, `${label}; scroll to read all of them:`),
    el('span', { class: 'long', tabindex: '0', role: 'group', 'aria-label': label }, shown),
  );
}

export const money = ({ amount, currency }) => el('span', { class: 'money' }, text(`${amount} ${currency}`));
export const time = (iso) => el('time', { datetime: iso }, new Date(iso).toLocaleString());
const words = (name) => text(wordsOf(name));

export const pairs = (entries) =>
  el(
    'dl',
    {},
    entries
      .filter(([, value]) => value !== undefined)
      .flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
  );

export const table = (label, heads, rows) =>
  el(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': label },
    el(
      'table',
      {},
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          heads.map(({ head, right }) => el('th', { scope: 'col', class: right && 'money' }, head)),
        ),
      ),
      el(
        'tbody',
        {},
        rows.map((cells) =>
          el(
            'tr',
            {},
            cells.map((cell, at) => el('td', { class: heads[at].right && 'money' }, cell)),
          ),
        ),
      ),
    ),
  );

let called = new Map();

/** From here on ids are shown by the names of the things that an action is about. */
export function naming(facts) {
  called = namesIn(facts);
}

/** An id by the name of what it names, where that is known. */
const leaf = (given) => {
  const name = nameOf(given, called);
  return name === undefined
    ? text(given)
    : el('span', {}, text(name), ' ', el('span', { class: 'quiet' }, text(given)));
};

/** What a member is called, beside its value or its values. */
const headOf = (name, given) => text(labelOf(name, given, called));

/** Any JSON, whole: nothing is left out of what somebody approves. */
export function value(given, label = 'Details', depth = 0) {
  if (given === null || given === undefined) return el('span', { class: 'quiet' }, 'none');
  if (isMoney(given)) return money(given);
  if (typeof given !== 'object') return leaf(given);
  if (depth > deepest) return text(JSON.stringify(given));
  if (Array.isArray(given)) return listOf(given, label, depth);
  const entries = Object.entries(given);
  if (entries.length === 0) return el('span', { class: 'quiet' }, 'nothing');
  return pairs(entries.map(([name, one]) => [headOf(name, one), value(one, name, depth + 1)]));
}

function listOf(items, label, depth) {
  if (items.length === 0) return el('span', { class: 'quiet' }, 'none');
  if (!isFlat(items))
    return el(
      'ul',
      {},
      items.map((item) => el('li', {}, value(item, label, depth + 1))),
    );
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const heads = names.map((name) => ({
    head: headOf(
      name,
      items.map((item) => item[name]),
    ),
    right: items.some((item) => isMoney(item[name])),
  }));
  return table(
    label,
    heads,
    items.map((item) => names.map((name) => (Object.hasOwn(item, name) ? value(item[name]) : ''))),
  );
}

/** What an action is about: each thing by its name, with what would change of it and what stays. */
export const facts = (things) => things.map(thing);

function thing({ noun, name, id, before, after }) {
  const heading = el('h3', {}, text(`${noun[0].toUpperCase()}${noun.slice(1)}: `), text(name ?? id));
  const whole = () => value(before, noun);
  if (after === undefined) return el('details', {}, el('summary', {}, ...heading.childNodes), whole());
  if (after === null) return el('section', {}, heading, el('p', { class: 'alert' }, 'It would be gone.'), whole());
  const stays = Object.entries(before).filter(([key]) => !Object.hasOwn(after, key));
  return el(
    'section',
    {},
    heading,
    table(
      'What would change',
      [{ head: '' }, { head: 'Before' }, { head: 'After' }],
      Object.keys(after).map((key) => [headOf(key, [before[key], after[key]]), value(before[key]), value(after[key])]),
    ),
    stays.length === 0
      ? undefined
      : el('details', {}, el('summary', {}, 'What stays'), value(Object.fromEntries(stays), noun)),
  );
}

/** What came out otherwise than it had been shown. */
export const drift = (changed) =>
  table(
    'What has changed since',
    [{ head: 'Of' }, { head: 'What' }, { head: 'It was' }, { head: 'It is' }],
    changed.map(({ of, pointer, before, after }) => [
      text(of ?? 'The preview'),
      words(pointer.slice(1).replaceAll('/', ' · ')),
      value(before),
      value(after),
    ]),
  );

const account = ({ code, name }) => text(`${code} ${name}`);
const side = (amount) => (amount === null ? '' : money(amount));

/** What the tool says it would do: journal lines and balances as an accountant reads them, anything else as it is. */
export function preview(given, asOf) {
  return isBooks(given) ? books(given, asOf) : value(given, 'Preview');
}

function books({ entries, balances, ...rest }, asOf) {
  return el(
    'div',
    {},
    entries.map((entry) => [
      el(
        'h3',
        {},
        'Journal entry of ',
        text(entry.date),
        entry.narration === undefined ? undefined : [': ', text(entry.narration)],
      ),
      isForeign(entry) ? el('p', {}, 'At the rate ', text(entry.rate), '.') : undefined,
      table(
        'Journal lines',
        [{ head: 'Account' }, { head: 'Debit', right: true }, { head: 'Credit', right: true }, { head: 'Memo' }],
        entry.lines.map((line) => [
          account(line),
          side(line.debit),
          side(line.credit),
          line.memo === null ? '' : text(line.memo),
        ]),
      ),
    ]),
    entries.length === 0 ? el('p', {}, 'It posts nothing.') : undefined,
    balances.length === 0
      ? undefined
      : [
          el('h3', {}, 'Balances as of ', time(asOf)),
          table(
            'Balances before and after',
            [{ head: 'Account' }, { head: 'Before', right: true }, { head: 'After', right: true }],
            balances.map((one) => [account(one), money(one.before), money(one.after)]),
          ),
        ],
    Object.keys(rest).length === 0 ? undefined : value(rest),
  );
}
