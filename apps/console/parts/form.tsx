import { useQueryClient } from '@tanstack/react-query';
import { use, useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { amountTyped, completed, hasComma } from '../data/decimal.ts';
import { Problem, type FieldFault } from '../data/problem.ts';
import { legible } from '../data/legible.ts';
import { sessionQuery } from '../data/session.ts';
import { useLocale, useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import { Failure } from './failure.tsx';
import { fieldAt, Faults, type Called, type Typed } from './fields.ts';
import { Shown } from './said.tsx';
import styles from './form.module.css';

interface FormProps {
  /** What was typed, by field; an empty field is left out. */
  readonly onSubmit: (values: Readonly<Record<string, string>>, form: FormData) => void;
  /** Why it was refused, if it was: said at the fields that it points to. */
  readonly error?: Error | null;
  readonly busy?: boolean;
  /** There is nothing to send. */
  readonly disabled?: boolean;
  /** What the button says. */
  readonly submit: string;
  readonly onCancel?: () => void;
  /** As of `Failure`. */
  readonly instead?: ReactNode;
  readonly onProposed?: (() => void) | undefined;
  readonly children: ReactNode;
}

const textsOf = (form: FormData): (readonly [string, string])[] =>
  [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string');

/** What may be kept of what is typed: no secret lies in the storage of a browser. */
function keepable(element: HTMLFormElement): FormData {
  const form = new FormData(element);
  for (const { name } of element.querySelectorAll<HTMLInputElement>('input[type=password]')) form.delete(name);
  return form;
}

/** Keeps what is typed in this tab while the form is shown, and where the session ends: a page that is left for a login, or loaded again, has it when it opens. */
function useTyped(name: string): [Typed | undefined, (form: FormData) => void] {
  const key = `typed ${location.pathname} ${name}`;
  const [typed] = useState(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? undefined : (JSON.parse(kept) as Typed);
  });
  const queries = useQueryClient();
  useEffect(
    () => () => {
      if (queries.getQueryData(sessionQuery.queryKey) !== null) sessionStorage.removeItem(key);
    },
    [queries, key],
  );
  return [typed, (form) => sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(textsOf(form))))];
}

/** The server is the one validator: what it refuses is said at the field that its pointer names. */
export function Form({
  onSubmit,
  error,
  busy = false,
  disabled = false,
  submit,
  onCancel,
  instead,
  onProposed,
  children,
}: FormProps): ReactNode {
  const words = useWords().parts;
  const fields = useMemo(() => new Map<string, Called>(), []);
  const [empty, setEmpty] = useState<ReadonlySet<string>>(new Set());
  /** What was left empty is asked for in words of the page: the server speaks of how a value is written. */
  const said = (fault: FieldFault): FieldFault => {
    const field = fieldAt(fields, fault.pointer);
    return field?.give === undefined || !empty.has(field.name) ? fault : { ...fault, detail: field.give };
  };
  const faults = error instanceof Problem ? error.errors.map(said) : [];
  const [typed, keep] = useTyped(submit);
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const element = event.currentTarget;
        // The server's faults point to fields, and a set of boxes is none: the browser asks for one of them.
        const unticked = element.querySelector<HTMLInputElement>('input[type=checkbox]:invalid');
        if (unticked !== null) return void unticked.reportValidity();
        const read = readAmounts(element);
        if (read === 'unclear') return;
        // What is sent is what was read: the fields hold it with the next event, and a form sends nothing while it is being sent.
        if (read === 'changed') return void setTimeout(() => element.requestSubmit());
        const form = new FormData(element);
        setEmpty(new Set(textsOf(form).flatMap(([name, text]) => (text.trim() === '' ? [name] : []))));
        onSubmit(Object.fromEntries(textsOf(form).filter(([, text]) => text !== '')), form);
      }}
      onInput={(event) => keep(keepable(event.currentTarget))}
    >
      <Faults value={{ faults, fields, typed }}>{children}</Faults>
      <Failure
        error={error}
        faults={faults}
        labelOf={(pointer) => fieldAt(fields, pointer)?.label}
        instead={instead}
        onProposed={onProposed}
      />
      <div className={styles['buttons']}>
        <Button
          type="submit"
          kind="first"
          busy={busy}
          disabled={disabled}
          // What a field is read as once it is left may move the button away from the pointer: sending reads it too.
          onMouseDown={(event) => event.preventDefault()}
        >
          {submit}
        </Button>
        {onCancel === undefined ? null : <Button onClick={onCancel}>{words.cancel}</Button>}
      </div>
    </form>
  );
}

/** As if each amount that was typed had been left: `Enter` sends a form from within a field. */
function readAmounts(form: HTMLFormElement): 'read' | 'changed' | 'unclear' {
  const amounts = [...form.querySelectorAll<HTMLInputElement>('input[data-typed]')];
  const typed = amounts.map(({ value }) => value);
  for (const amount of amounts)
    flushSync(() => void amount.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
  const unclear = amounts.find(({ dataset }) => dataset['unclear'] !== undefined);
  unclear?.focus();
  if (unclear !== undefined) return 'unclear';
  return amounts.some(({ value }, at) => value !== typed[at]) ? 'changed' : 'read';
}

interface FieldProps {
  readonly label: string;
  /** Its name in the body: `/name` is where faults point, unless `pointer` says otherwise. */
  readonly name: string;
  readonly pointer?: string;
  readonly hint?: ReactNode;
  readonly optional?: boolean;
  /** `amount` is typed as a decimal; `area` over several lines; `secret` is not shown and not kept; with `options` it is a choice. */
  readonly kind?: 'text' | 'email' | 'date' | 'amount' | 'number' | 'url' | 'search' | 'area' | 'tel' | 'secret';
  /** Of an amount: one with fewer digits than its currency has gets the rest. */
  readonly currency?: string | undefined;
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly value?: string | undefined;
  readonly onChange?: (value: string) => void;
  /** It has the focus when it appears; in a dialog the first field does, unless another one says so. */
  readonly autoFocus?: boolean;
}

export function Field(props: FieldProps): ReactNode {
  const { label, name, pointer = `/${name}`, hint, optional = false, kind = 'text', options, value, onChange } = props;
  const words = useWords().parts;
  const id = useId();
  const { faults: all, fields, typed } = use(Faults);
  const give = optional ? undefined : options === undefined ? words.fillIn : words.choose;
  const comma = hasComma(useLocale());
  const [either, setEither] = useState<readonly [string, string]>();
  useEffect(() => {
    fields.set(pointer, { label, give, name });
    return () => void fields.delete(pointer);
  }, [fields, pointer, label, give, name]);
  const faults = all.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
  const said = [
    ...(either === undefined ? [] : [words.eitherAmount(either[0], comma ? either[1].replace('.', ',') : either[1])]),
    ...faults.map(({ detail }) => detail),
  ];
  const described = [hint === undefined ? '' : `${id}h`, said.length === 0 ? '' : `${id}f`].filter(Boolean).join(' ');
  /** An amount is read when its field is left, and what may be two amounts is asked about. */
  const read = (input: HTMLInputElement): void => {
    if (input.dataset['typed'] === undefined) return;
    const amount = amountTyped(input.value, comma);
    setEither(amount !== undefined && 'either' in amount ? amount.either : undefined);
    if (amount === undefined || 'either' in amount) return;
    const whole = completed(amount.amount, props.currency);
    if (onChange === undefined && whole !== input.value) {
      input.value = whole;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    } else if (whole !== input.value) onChange?.(whole);
    delete input.dataset['typed'];
  };
  const common = {
    id,
    name,
    className: styles['control'],
    autoFocus: props.autoFocus,
    'data-focus': props.autoFocus,
    'aria-describedby': described || undefined,
    'aria-invalid': said.length > 0 || undefined,
    ...(onChange === undefined ? { defaultValue: typed?.[name] ?? value } : { value: value ?? '' }),
    onChange: (event: { readonly target: { readonly value: string } }) => onChange?.(event.target.value),
  };
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        <Shown>{label}</Shown>
        {optional ? <span className={styles['optional']}>{words.optional}</span> : null}
      </label>
      {options !== undefined ? (
        <select {...common}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {legible(text)}
            </option>
          ))}
        </select>
      ) : kind === 'area' ? (
        <textarea rows={4} {...common} />
      ) : (
        <input
          {...common}
          type={kind === 'secret' ? 'password' : kind === 'amount' || kind === 'number' ? 'text' : kind}
          {...(kind === 'amount'
            ? {
                'data-unclear': either === undefined ? undefined : '',
                onInput: ({ currentTarget }) => void (currentTarget.dataset['typed'] = ''),
                onBlur: ({ currentTarget }) => read(currentTarget),
              }
            : {})}
          inputMode={kind === 'amount' ? 'decimal' : kind === 'number' ? 'numeric' : undefined}
          // Browsers fill in a password that they know where `off` is said of one.
          autoComplete={kind === 'secret' ? 'new-password' : 'off'}
        />
      )}
      {hint === undefined ? null : (
        <p id={`${id}h`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {said.length === 0 ? null : (
        <p id={`${id}f`} className={styles['fault']}>
          {said.join(' ')}
        </p>
      )}
    </div>
  );
}

/** Yes or no. */
export function Check({
  label,
  name,
  value,
  onChange,
  hint,
}: {
  readonly label: ReactNode;
  readonly name: string;
  readonly value?: boolean | undefined;
  readonly onChange?: (value: boolean) => void;
  readonly hint?: ReactNode;
}): ReactNode {
  const id = useId();
  const { typed } = use(Faults);
  return (
    <div className={styles['check']}>
      <input
        id={id}
        type="checkbox"
        name={name}
        aria-describedby={hint === undefined ? undefined : `${id}h`}
        {...(onChange === undefined
          ? { defaultChecked: typed === undefined ? value : typed[name] === 'on' }
          : { checked: value ?? false })}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <p id={`${id}h`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}
