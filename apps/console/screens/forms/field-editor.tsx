import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Check, Field } from '../../parts/form.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import styles from './forms.module.css';
import { kinds, rulesOf, type FormField, type Kind, type Rule } from './types.ts';
import { legible } from '../../data/legible.ts';

interface FieldEditorProps {
  readonly of: FormField;
  readonly at: number;
  readonly last: boolean;
  readonly rules: readonly Rule[];
  /** Fields of contacts that an answer may fill. */
  readonly custom: readonly { readonly key: string; readonly label: string }[];
  readonly mayChange: boolean;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onMove: (by: number) => void;
  readonly onRemove: () => void;
  readonly onChange: (field: FormField, rules: readonly Rule[]) => void;
}

const chooses = (kind: Kind): boolean => kind === 'radio' || kind === 'select' || kind === 'multiselect';

/** Without what is blank, which the server takes for text. */
function tidy(field: FormField): FormField {
  const { placeholder, helpText, mapsTo, options, ...rest } = field;
  return {
    ...rest,
    ...(placeholder === undefined || placeholder === '' ? {} : { placeholder }),
    ...(helpText === undefined || helpText === '' ? {} : { helpText }),
    ...(mapsTo === undefined || mapsTo === '' ? {} : { mapsTo }),
    ...(chooses(rest.type) ? { options: options ?? [{ value: 'a', label: 'A' }] } : {}),
  };
}

export function FieldEditor(props: FieldEditorProps): ReactNode {
  const { of, at, last, rules, custom, mayChange, open, onOpen, onMove, onRemove, onChange } = props;
  const words = useWords().forms;
  const set = (change: Partial<FormField>): void => {
    const next = tidy({ ...of, ...change });
    const fitting = rulesOf(next.type) as readonly string[];
    onChange(
      next,
      rules.filter(({ rule }) => fitting.includes(rule)).map((rule) => ({ ...rule, field: next.name })),
    );
  };
  const pointer = `/fields/${at}`;
  return (
    <li>
      <details
        className={styles['field']}
        open={open}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== open) onOpen(currentTarget.open);
        }}
      >
        <summary>
          <span>
            <Said>{of.label}</Said>
          </span>
          {of.required ? <Badge>{words.required}</Badge> : null}
          <Badge>{words.kinds[of.type]}</Badge>
        </summary>
        <div className={styles['inner']}>
          {mayChange ? (
            <>
              <div className={styles['row']}>
                <Button disabled={at === 0} onClick={() => onMove(-1)} aria-label={words.moveUp(legible(of.label))}>
                  ↑
                </Button>
                <Button disabled={last} onClick={() => onMove(1)} aria-label={words.moveDown(legible(of.label))}>
                  ↓
                </Button>
                <Button kind="danger" onClick={onRemove}>
                  {words.remove}
                </Button>
              </div>
              <div className={styles['pair']}>
                <Field
                  label={words.label}
                  name="label"
                  pointer={`${pointer}/label`}
                  value={of.label}
                  onChange={(label) => set({ label })}
                />
                <Field
                  label={words.kind}
                  name="type"
                  value={of.type}
                  onChange={(type) => set({ type: type as Kind })}
                  options={kinds.map((kind) => [kind, words.kinds[kind]] as const)}
                />
                <Field
                  label={words.key}
                  name="name"
                  pointer={`${pointer}/name`}
                  hint={words.keyHint}
                  value={of.name}
                  onChange={(name) => set({ name })}
                />
                <Field
                  label={words.fills}
                  name="mapsTo"
                  value={of.mapsTo ?? ''}
                  onChange={(mapsTo) => set({ mapsTo })}
                  options={[
                    ['', words.fillsNothing],
                    ['email', words.first.email],
                    ['phone', words.phone],
                    ['name', words.first.name],
                    ...(of.type === 'checkbox' ? [['marketing_consent', words.consent] as const] : []),
                    ...custom.map(({ key, label }) => [key, label] as const),
                  ]}
                />
              </div>
              {chooses(of.type) ? (
                <Field
                  label={words.choices}
                  name="options"
                  kind="area"
                  hint={words.choicesHint}
                  value={(of.options ?? []).map(({ label }) => label).join('\n')}
                  onChange={(text) => set({ options: text.split('\n').map((label) => ({ value: label, label })) })}
                />
              ) : null}
              <div className={styles['pair']}>
                <Field
                  label={words.placeholder}
                  name="placeholder"
                  optional
                  value={of.placeholder}
                  onChange={(placeholder) => set({ placeholder })}
                />
                <Field
                  label={words.help}
                  name="helpText"
                  optional
                  value={of.helpText}
                  onChange={(helpText) => set({ helpText })}
                />
              </div>
              <Check
                label={words.required}
                name="required"
                value={of.required}
                onChange={(required) => set({ required })}
              />
              <Rules of={rules} field={of} onChange={(next) => onChange(of, next)} />
            </>
          ) : (
            <p className={styles['soft']}>
              <Said>{of.helpText}</Said>
            </p>
          )}
        </div>
      </details>
    </li>
  );
}

/** What an answer must be: checked on the page, told by the message. */
function Rules({
  of,
  field,
  onChange,
}: {
  readonly of: readonly Rule[];
  readonly field: FormField;
  readonly onChange: (rules: readonly Rule[]) => void;
}): ReactNode {
  const words = useWords().forms;
  const fitting = rulesOf(field.type);
  const free = fitting.filter((name) => !of.some(({ rule }) => rule === name));
  const counts = (rule: Rule['rule']): boolean => rule !== 'pattern' && !(field.type === 'date');
  const set = (at: number, change: Partial<Rule>): void =>
    onChange(of.map((one, place) => (place === at ? { ...one, ...change } : one)));
  if (fitting.length === 0) return null;
  return (
    <>
      {of.map((rule, at) =>
        rule.rule === 'required' ? null : (
          <div key={rule.rule} className={styles['pair']}>
            <Field
              label={words.rules[rule.rule]}
              name={rule.rule}
              value={rule.value === undefined ? '' : String(rule.value)}
              onChange={(value) =>
                set(at, { value: counts(rule.rule) && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value })
              }
            />
            <Field
              label={words.message}
              name={`${rule.rule} message`}
              optional
              value={rule.message ?? ''}
              onChange={(message) => {
                const { message: _old, ...rest } = rule;
                onChange(of.map((one, place) => (place === at ? (message === '' ? rest : { ...rest, message }) : one)));
              }}
            />
            <Button onClick={() => onChange(of.filter((_, place) => place !== at))}>{words.remove}</Button>
          </div>
        ),
      )}
      {free.length === 0 ? null : (
        <div className={styles['row']}>
          <span className={styles['soft']}>{words.addRule}</span>
          {free.map((rule) => (
            <Button
              key={rule}
              onClick={() =>
                onChange([
                  ...of,
                  {
                    field: field.name,
                    rule,
                    value: rule === 'pattern' ? '.*' : field.type === 'date' ? '2026-01-01' : 1,
                  },
                ])
              }
            >
              {words.rules[rule]}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
