import { money, type Money } from '@steward/kernel';
import { z } from 'zod';
import { snakeName } from './spelling.ts';

/** A row as the database answers it. */
type Row = Readonly<Record<string, unknown>>;

/** Whatever is inside stays as it is. */
export type Fixed<T> = T extends (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends Readonly<Record<string, unknown>>
    ? { readonly [K in keyof T]: Fixed<T[K]> }
    : T;

/** One member of a noun: what it is outside, and how a row holds it. */
export interface Field<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  /** SQL over the noun's row; of the column that is named as the member where it is left out. */
  readonly sql?: string | undefined;
  /** From the value of its column, and from others of the row where one column does not say it. */
  read(value: unknown, row: Row): z.output<S>;
}

type Fields = Readonly<Record<string, Field>>;
type Schemas<F extends Fields> = { readonly [K in keyof F]: F[K]['schema'] };

/** A noun described once: what doors answer of it, what of a row they answer it from, and the type of both. */
export interface Shape<F extends Fields = Fields> {
  readonly answer: z.ZodObject<Schemas<F>, z.core.$strip>;
  /** For a `select` over the table under its alias. Text for statements that are put together. */
  readonly columns: string;
  read(row: Row): Fixed<z.output<z.ZodObject<Schemas<F>>>>;
}

/** What a noun is inside, in camelCase. @example type Brand = Of<typeof brand> */
export type Of<S extends { readonly answer: z.ZodType }> = Fixed<z.output<S['answer']>>;

/**
 * @param alias of the noun's table in the statements that use `columns`
 * @example const brand = shape('b', { id: id('brand_id'), name: text(), isDefault: flag(), createdAt: moment() })
 */
export function shape<const F extends Fields>(alias: string, fields: F): Shape<F> {
  const members = Object.entries(fields).map(([name, { sql, read }]) => ({ name, column: snakeName(name), sql, read }));
  return {
    answer: z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))) as never,
    columns: members
      .map(({ column, sql = `${alias}.${column}` }) => (sql === `${alias}.${column}` ? sql : `${sql} as ${column}`))
      .join(', '),
    read: (row) => {
      const result: Record<string, unknown> = {};
      for (const { name, column, read } of members) result[name] = read(row[column], row);
      return result as never;
    },
  };
}

const as = <T>(value: unknown): T => value as T;

/** Any column whose value is its own member. */
export const field = <S extends z.ZodType>(
  schema: S,
  sql?: string,
  read: Field<S>['read'] = (value) => as(value),
): Field<S> => ({ schema, sql, read });

export const id = (sql?: string) => field(z.uuid(), sql);
export const text = (sql?: string) => field(z.string(), sql);
export const texts = (sql?: string) => field(z.array(z.string()), sql);
export const flag = (sql?: string) => field(z.boolean(), sql, (value) => value === true);
/** An integer that a number holds exactly. */
export const count = (sql?: string) => field(z.int(), sql, Number);
export const oneOf = <const V extends readonly [string, ...string[]]>(values: V, sql?: string) =>
  field(z.enum(values), sql);
/** A moment, in RFC 3339 and UTC. */
export const moment = (sql?: string) =>
  field(z.string().meta({ format: 'date-time' }), sql, (value) => as<Date>(value).toISOString());
/** A day of the calendar, YYYY-MM-DD. */
export const day = (sql: string) => field(z.string(), `${sql}::text`);

/** A decimal string with exactly the minor digits of its currency. */
export const moneyShape = z.object({
  amount: z.string().meta({ description: 'A decimal string with exactly the minor digits of its currency.' }),
  currency: z.string().meta({ description: 'ISO 4217.' }),
});
/** Minor units of the currency that another column of the row names: `bigint`, or `numeric` without decimals. */
export const amount = (sql?: string, currency = 'currency') =>
  field(moneyShape, sql, (value, row): Money => money(BigInt(as<bigint | string>(value)), String(row[currency])));

/** A member that may be null, as its column may. */
export const nullable = <S extends z.ZodType>({ schema, sql, read }: Field<S>): Field<z.ZodNullable<S>> => ({
  schema: schema.nullable(),
  sql,
  read: (value, row) => as(value === null || value === undefined ? null : read(value, row)),
});
