import { make, mark, say } from '../element/dom.ts';
import type { Words } from './words.ts';

/** A line of a checkout, with what is wrong with it beside it. */
export interface Field {
  /** Of the checkout's change, such as `/shippingAddress/city`. */
  readonly pointer: string;
  readonly label: string;
  readonly root: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  readonly required: boolean;
  value(): string;
  fault(): string;
  show(text: string): void;
}

export interface FieldMade {
  readonly pointer: string;
  readonly label: string;
  readonly autocomplete?: string;
  readonly type?: string;
  /** May be left empty. */
  readonly spare?: boolean;
  /** By value; makes it a choice. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly part?: string;
}

export function field(words: Words, made: FieldMade): Field {
  const { pointer, label, autocomplete, type = 'text', spare = false, options, part = 'field' } = made;
  const id = `f${pointer.replaceAll('/', '-')}`;
  const shared = {
    id,
    part: 'control',
    autocomplete,
    'aria-describedby': `${id}-error`,
    'aria-required': String(!spare),
  };
  const error = make('div', { id: `${id}-error`, part: 'error' });
  error.hidden = true;
  const input = options
    ? make('select', shared, ...options.map(([value, text]) => make('option', { value }, text)))
    : make('input', { ...shared, type, maxlength: '200', inputmode: type === 'email' ? 'email' : undefined });
  const title = make('label', { for: id, part: 'label' }, label);
  if (spare) title.append(make('span', { part: 'optional' }, ` (${words.optional})`));
  const root = make('div', { part }, title, input, error);
  const value = (): string => input.value.trim();
  const show = (text: string): void => {
    say(error, text);
    mark(input, 'aria-invalid', text && 'true');
  };
  const fault = (): string => {
    if (!value()) return spare ? '' : words.required;
    return type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value()) ? words.badEmail : '';
  };
  input.addEventListener('input', () => {
    if (error.textContent) show(fault());
  });
  return { pointer, label, root, input, required: !spare, value, fault, show };
}
