import { lines } from '@steward/mail';
import type { FormField } from '../forms/definition.ts';

export interface Answer {
  readonly label: string;
  readonly value: string;
  /** Whether there is more of it. */
  readonly cut: boolean;
}

/** Characters of one value, and of all values of an email. */
const most = { value: 4_000, all: 40_000 };

/** What was filled in, by the form's fields in their order; `others` counts what the form has no field for. */
export function answersTo(
  fields: readonly FormField[],
  data: Readonly<Record<string, unknown>>,
): { answers: Answer[]; others: number } {
  let left = most.all;
  const answers = fields.map((field): Answer => {
    const room = Math.max(1, Math.min(most.value, left));
    const whole = said(field, Object.hasOwn(data, field.name) ? data[field.name] : undefined);
    const value = lines(whole, room);
    left -= value.length;
    return { label: field.label, value, cut: whole.length > room };
  });
  const names = new Set(fields.map(({ name }) => name));
  return { answers, others: Object.keys(data).filter((name) => !names.has(name)).length };
}

function said(field: FormField, value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((one) => said(field, one)).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  return field.options?.find((option) => option.value === text)?.label ?? text;
}
