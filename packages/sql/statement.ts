import { hash } from 'node:crypto';
import { BoundedMap } from '@steward/kernel';

/** One prepared statement with its values. The name follows from the text, so equal texts share a plan. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const made = new WeakMap<TemplateStringsArray, { name: string; text: string }>();

/** Plain SQL with parameters: sql`select * from account where id = ${id}`. Values never become text. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  let known = made.get(strings);
  if (known === undefined) {
    const text = strings.reduce((before, after, index) => `${before}$${index}${after}`);
    known = { name: nameOf(text), text };
    made.set(strings, known);
  }
  return { name: known.name, text: known.text, values };
}

/** A statement whose text was put together elsewhere; `text` must not hold anything a caller said. */
export const statement = (text: string, values: readonly unknown[] = []): Statement => ({
  name: nameOf(text),
  text,
  values,
});

/** Of texts that were put together: a digest of one costs more than finding it. */
const names = new BoundedMap<string, string>(1_000);

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `s_${hash('sha256', text, 'base64url').slice(0, 20)}`;
  names.set(text, name);
  return name;
}
