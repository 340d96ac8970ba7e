import { answerText, type Drawn, type FormField } from './types.ts';

export interface Difference {
  readonly field: string;
  readonly what: 'added' | 'removed' | 'moved' | 'changed';
  /** Which member of the field changed. */
  readonly member: string;
  readonly before: string;
  readonly after: string;
}

const members = ['label', 'type', 'required', 'placeholder', 'helpText', 'options', 'mapsTo'] as const;

const textOf = (value: FormField[(typeof members)[number]]): string =>
  Array.isArray(value) ? value.map(({ label }: { label: string }) => label).join(', ') : answerText(value);

/** What differs between two drafts of a form, field by field: fields are the same by their names. */
export function compared(one: Drawn, other: Drawn): readonly Difference[] {
  const before = new Map(one.fields.map((field) => [field.name, field]));
  const after = new Map(other.fields.map((field) => [field.name, field]));
  const stay = (fields: readonly FormField[], rest: ReadonlyMap<string, FormField>): readonly string[] =>
    fields.filter(({ name }) => rest.has(name)).map(({ name }) => name);
  const [was, is] = [stay(one.fields, after), stay(other.fields, before)];
  const rows: Difference[] = [];
  for (const { name, label } of one.fields)
    if (!after.has(name)) rows.push({ field: label, what: 'removed', member: '', before: label, after: '' });
  other.fields.forEach((field) => {
    const { name, label } = field;
    const old = before.get(name);
    if (old === undefined) {
      rows.push({ field: label, what: 'added', member: '', before: '', after: label });
      return;
    }
    const [from, to] = [was.indexOf(name), is.indexOf(name)];
    if (from !== to) rows.push({ field: label, what: 'moved', member: '', before: `${from + 1}`, after: `${to + 1}` });
    for (const member of members) {
      const [text, next] = [textOf(old[member]), textOf(field[member])];
      if (text !== next) rows.push({ field: label, what: 'changed', member, before: text, after: next });
    }
    const [rules, nextRules] = [rulesText(one, name), rulesText(other, name)];
    if (rules !== nextRules)
      rows.push({ field: label, what: 'changed', member: 'rules', before: rules, after: nextRules });
  });
  return rows;
}

const rulesText = ({ validationRules }: Drawn, name: string): string =>
  validationRules
    .filter(({ field }) => field === name)
    .map(({ rule, value }) => (value === undefined ? rule : `${rule} ${value}`))
    .join(', ');
