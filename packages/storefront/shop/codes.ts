import { make } from '../element/dom.ts';
import { button } from './base.ts';
import type { Words } from './words.ts';

/** Codes that were entered, each with a button that takes it away, and a field for another. */
export function codesBox(words: Words, codes: readonly string[], set: (codes: readonly string[]) => void): HTMLElement {
  const input = make('input', {
    part: 'control',
    id: 'code',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: '100',
    placeholder: words.code,
    'aria-label': words.code,
  });
  const apply = (): void => {
    const code = input.value.trim();
    if (code) set([...codes.filter((one) => one !== code), code]);
  };
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    // Of a checkout it would place the order.
    event.preventDefault();
    apply();
  });
  const taken = codes.map((code, index) =>
    make(
      'li',
      { part: 'code' },
      code,
      button('step', `code-${index}`, '×', () => set(codes.filter((one) => one !== code)), `${words.remove}: ${code}`),
    ),
  );
  return make(
    'div',
    { part: 'codes' },
    make('div', { part: 'code-entry' }, input, button('button secondary', 'apply', words.apply, apply)),
    make('ul', { part: 'code-list', role: 'list' }, ...taken),
  );
}
