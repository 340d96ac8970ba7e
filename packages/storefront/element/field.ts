import type { FormField, ValidationRule } from '../client/schema.ts';
import type { Catalogue } from '../messages/catalogue.ts';
import { autofillToken } from './autofill.ts';
import { make, mark, say } from './dom.ts';
import { faultOf, isBlank, wordsOfType, type Fault, type Value } from './rules.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A field of the form, drawn. */
export interface DrawnField {
  readonly name: string;
  readonly label: string;
  readonly root: HTMLElement;
  /** What takes the focus, and what the browser points at. */
  readonly anchor: HTMLElement;
  /** Where what is wrong with it stands. */
  readonly said: HTMLElement;
  /** What the catalogue says of its type. */
  readonly expected: string | undefined;
  /** Undefined where it is blank, so that it is left out. */
  read(): Value | undefined;
  write(value: unknown): void;
  check(): Fault | undefined;
  /** Shows what is wrong; an empty text takes it away. */
  show(text?: string): void;
}

const inputs = /^(email|tel|url|number|date|checkbox|radio|hidden)$/;

/** @param index tells the ids of one form apart; a shadow root has a space of ids of its own */
export function drawField(
  field: FormField,
  index: number,
  rules: readonly ValidationRule[],
  words: Catalogue,
): DrawnField {
  const { name, label, type, helpText = '', placeholder, options = [] } = field;
  const id = `f${index}`;
  const grouped = type === 'radio' || type === 'multiselect';
  const required = field.required && type !== 'multiselect' ? '' : undefined;
  const help = make('div', { id: `${id}-help`, part: 'help' });
  const error = make('div', { id: `${id}-error`, part: 'error' });
  say(help, helpText);
  say(error, '');

  const choices = options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option));
  const shared = { id, name, required, part: 'control', autocomplete: autofillToken(field) };
  let controls: Control[];
  if (grouped) {
    controls = choices.map(({ value }, at) =>
      make('input', {
        ...shared,
        id: at === 0 ? id : `${id}-${at}`,
        part: 'box',
        type: type === 'radio' ? type : 'checkbox',
        value,
      }),
    );
  } else if (type === 'select') {
    const blank = make('option', { value: '' }, placeholder || words.choose);
    controls = [
      make('select', shared, blank, ...choices.map(({ value, label: text }) => make('option', { value }, text))),
    ];
  } else if (type === 'textarea') controls = [make(type, { ...shared, placeholder, rows: '5' })];
  else {
    const own = inputs.exec(type)?.[0] ?? 'text';
    const part = own === 'checkbox' ? 'box' : 'control';
    controls = [make('input', { ...shared, part, type: own, placeholder, step: own === 'number' ? 'any' : undefined })];
  }

  const first = controls[0] ?? make('input');
  const title: (Node | string)[] = [label];
  if (!field.required) title.push(make('span', { part: 'optional' }, ` (${words.optional})`));
  let root: HTMLElement;
  if (type === 'hidden') root = make('div', { hidden: '' }, first);
  else if (grouped) {
    const lines = controls.map((box, at) => make('label', { part: 'option' }, box, choices[at]?.label ?? ''));
    root = make('fieldset', { part: 'field' }, make('legend', { part: 'label' }, ...title), help, error, ...lines);
    if (type === 'radio') root.role = 'radiogroup';
  } else if (type === 'checkbox')
    root = make(
      'div',
      { part: 'field' },
      make('label', { part: 'option' }, first, make('span', {}, ...title)),
      help,
      error,
    );
  else root = make('div', { part: 'field' }, make('label', { for: id, part: 'label' }, ...title), help, error, first);

  const show = (text = ''): void => {
    say(error, text);
    // The role that a radio button has does not know the state; its group's does.
    for (const marked of type === 'radio' ? [root] : controls) mark(marked, 'aria-invalid', text && 'true');
    const notes = [help, error].filter(({ hidden }) => !hidden);
    mark(grouped ? root : first, 'aria-describedby', notes.map((note) => note.id).join(' '));
  };
  show();

  const boxes = controls as HTMLInputElement[];
  const read = (): Value | undefined => {
    if (type === 'checkbox') return boxes[0]?.checked;
    const picked = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    let value: Value | undefined = grouped ? (type === 'radio' ? picked[0] : picked) : first.value;
    // People with an input method type full-width digits and signs.
    if (/^(email|tel|url)$/.test(type)) value = String(value).normalize('NFKC').trim();
    if (isBlank(value)) return undefined;
    // More digits than a number keeps stay a text.
    return type === 'number' && String(value).replace(/\D/g, '').length < 16 ? Number(value) : value;
  };

  return {
    name,
    label,
    root,
    anchor: first,
    said: error,
    expected: wordsOfType(type, words),
    read,
    write: (value) => {
      const texts = (Array.isArray(value) ? value : [value ?? '']).map(String);
      if (grouped || type === 'checkbox')
        for (const box of boxes) box.checked = texts.includes(grouped ? box.value : 'true');
      else first.value = texts[0] ?? '';
    },
    check: () => faultOf(field, rules, read(), first.validity.badInput, words),
    show,
  };
}
