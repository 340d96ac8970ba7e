import type { FormField, ValidationRule } from '../client/schema.ts';
import type { MessageKey, Words } from '../messages/catalogue.ts';
import { autofillToken } from './autofill.ts';
import { foreign, make, mark, say } from './dom.ts';
import { faultOf, isBlank, type Fault, type Value } from './rules.ts';

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

/** Types whose values can be wrong by themselves. */
const particular = /^(email|tel|url|number|date)$/;

/** @param index tells the ids of one form apart; a shadow root has a space of ids of its own */
export function drawField(field: FormField, index: number, rules: readonly ValidationRule[], words: Words): DrawnField {
  const { name, label, type, helpText = '', placeholder, options = [] } = field;
  const id = `f${index}`;
  const grouped = type === 'radio' || type === 'multiselect';
  const boxed = grouped || type === 'checkbox';
  const help = make('div', { id: `${id}-help`, part: 'help' });
  const error = make('div', { id: `${id}-error`, part: 'error' });
  say(help, helpText);
  say(error, '');
  const notes = { 'aria-describedby': `${help.id} ${error.id}` };
  const title = make('span', {}, label);
  if (!field.required) title.append(foreign(make('span', { part: 'optional' }, ` (${words.optional})`), words));

  // A box by itself is one choice.
  const choices = (boxed && !grouped ? ['true'] : options).map((option) =>
    typeof option === 'string' ? { value: option, label: option } : option,
  );
  const shared = {
    id,
    name,
    placeholder,
    part: boxed ? 'box' : 'control',
    autocomplete: autofillToken(field),
    // Of several boxes any one will do, which HTML cannot ask for.
    required: field.required && type !== 'multiselect' ? '' : undefined,
    ...(!grouped && notes),
  };
  const boxes = !boxed
    ? []
    : choices.map(({ value }, at) =>
        make('input', {
          ...shared,
          id: at ? `${id}-${at}` : id,
          type: type === 'radio' ? type : 'checkbox',
          value,
        }),
      );
  let controls: Control[] = boxes;
  if (type === 'select') {
    const blank = make('option', { value: '' }, placeholder || words.choose);
    const lines = choices.map(({ value, label: text }) => make('option', { value }, text));
    controls = [make('select', shared, blank, ...lines)];
  } else if (type === 'textarea') controls = [make('textarea', { ...shared, rows: '5' })];
  else if (!boxed)
    controls = [
      make('input', { ...shared, type: particular.test(type) || type === 'hidden' ? type : 'text', step: 'any' }),
    ];
  const first = controls[0] ?? make('input');

  const lines = boxes.map((box, at) =>
    make('label', { part: 'option' }, box, grouped ? (choices[at]?.label ?? '') : title),
  );
  const parts = grouped
    ? [make('legend', { part: 'label' }, title), help, error, ...lines]
    : boxed
      ? [...lines, help, error]
      : [make('label', { for: id, part: 'label' }, title), help, error, first];
  const role = type === 'radio' ? 'radiogroup' : undefined;
  const root = make(grouped ? 'fieldset' : 'div', { part: 'field', role, ...(grouped && notes) }, ...parts);
  root.hidden = type === 'hidden';

  const read = (): Value | undefined => {
    const picked = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    if (type === 'checkbox') return picked.length > 0;
    let value: Value | undefined = type === 'multiselect' ? picked : boxed ? picked[0] : first.value;
    // People with an input method type full-width digits and signs.
    if (particular.test(type)) value = String(value).normalize('NFKC').trim();
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
    expected: particular.test(type) ? words[type as MessageKey] : undefined,
    read,
    write: (value) => {
      const texts = [value ?? ''].flat().map(String);
      if (boxed) for (const box of boxes) box.checked = texts.includes(box.value);
      else first.value = texts[0] ?? '';
    },
    check: () => faultOf(field, rules, read(), first.validity.badInput, words),
    show: (text = '') => {
      say(error, text);
      // What the form itself says is in the form's language.
      foreign(error, rules.some(({ message }) => message === text) ? undefined : words);
      // The role that a radio button has does not know the state; its group's does.
      for (const marked of type === 'radio' ? [root] : controls) mark(marked, 'aria-invalid', text && 'true');
    },
  };
}
