import { type Fixed, line } from '@steward/contract';
import { type FieldError, formatAmount, isCurrency } from '@steward/kernel';
import { z } from 'zod';
import { minorOf } from '../products/variants.ts';

export const mostRules = 20;
export const matches = ['all', 'any'] as const;
const fields = ['tag', 'type', 'vendor', 'title', 'tax_category', 'price'] as const;
const operators = ['is', 'is_not', 'contains', 'contains_not', 'at_least', 'at_most'] as const;

/** What products are asked for. Each field takes the operators that make sense of it. */
const taken: Readonly<Record<(typeof fields)[number], readonly (typeof operators)[number][]>> = {
  tag: ['is', 'is_not'],
  type: ['is', 'is_not'],
  vendor: ['is', 'is_not'],
  title: ['contains', 'contains_not'],
  tax_category: ['is', 'is_not'],
  price: ['at_least', 'at_most'],
};

export const ruleShape = z.object({
  field: z.enum(fields),
  operator: z.enum(operators),
  value: z.string(),
  currency: z.string().nullable(),
});
export type Rule = Fixed<z.output<typeof ruleShape>>;

export const ruleInput = z.strictObject({
  field: z.enum(fields).meta({ description: 'price: the lowest price for one over the variants, in `currency`.' }),
  operator: z.enum(operators).meta({
    description:
      'is, is_not: of tag, type, vendor and tax_category. contains, contains_not: of title. at_least, at_most: of price.',
  }),
  value: line(255).meta({ description: 'Compared without case. Of price: an amount such as "19.99".' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Give a code of ISO 4217 in upper case, such as EUR')
    .optional()
    .meta({ description: 'Of price: ISO 4217, upper case.' }),
});

/** A rule as the row keeps it: the value of a price is minor units. */
type KeptRule = Readonly<Record<'field' | 'operator' | 'value', string>> & { readonly currency?: string };

export function readRules(given: readonly Fixed<z.output<typeof ruleInput>>[], faults: FieldError[]): KeptRule[] {
  return given.map(({ field, operator, value, currency }, index): KeptRule => {
    const wrong = (member: string, code: string, detail: string) =>
      faults.push({ pointer: `/rules/${index}/${member}`, code, detail });
    if (!taken[field].includes(operator))
      wrong('operator', 'not_of_field', `Of ${field}, give ${taken[field].join(' or ')}.`);
    if (field !== 'price') {
      if (currency !== undefined) wrong('currency', 'not_of_field', `${field} has no currency: leave it out.`);
      return { field, operator, value };
    }
    if (currency === undefined) {
      wrong('currency', 'required', 'A price has a currency: give it.');
      return { field, operator, value };
    }
    if (!isCurrency(currency)) {
      wrong('currency', 'unknown_currency', `${currency} is no currency of ISO 4217 with a minor unit.`);
      return { field, operator, value };
    }
    const minor = minorOf(value, currency);
    if (minor === undefined)
      wrong('value', 'invalid_amount', `Give an amount of ${currency} from 0 on with the digits of its currency.`);
    return { field, operator, value: String(minor ?? 0n), currency };
  });
}

export const toldRules = (kept: readonly KeptRule[] | null): Rule[] =>
  (kept ?? []).map(({ field, operator, value, currency = null }) => ({
    field: field as Rule['field'],
    operator: operator as Rule['operator'],
    value: currency === null ? value : formatAmount(BigInt(value), currency),
    currency,
  }));

const holds = `coalesce(case r ->> 'field'
    when 'tag' then exists (select from unnest(p.tags) t where lower(t) = lower(r ->> 'value'))
    when 'type' then lower(p.product_type) = lower(r ->> 'value')
    when 'vendor' then lower(p.vendor) = lower(r ->> 'value')
    when 'title' then position(lower(r ->> 'value') in lower(p.title)) > 0
    when 'tax_category' then p.tax_category = r ->> 'value'
    when 'price' then (select case r ->> 'operator' when 'at_least' then min(c.amount) >= (r ->> 'value')::bigint
        else min(c.amount) <= (r ->> 'value')::bigint end
      from catalogue.variant v join catalogue.price c on c.tenant_id = v.tenant_id and c.variant_id = v.variant_id
        and c.currency = r ->> 'currency' and c.min_quantity = 1
      where v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null)
  end, false) <> (r ->> 'operator' in ('is_not', 'contains_not'))`;

/**
 * SQL: whether a product `p` is what a collection `k` by rules asks for. Writing and verification take the same, so that nothing is in a
 * collection that its rules do not say.
 */
export const isAsked = `case k.match
  when 'any' then exists (select from jsonb_array_elements(k.rules) r where ${holds})
  else not exists (select from jsonb_array_elements(k.rules) r where not (${holds})) end`;
