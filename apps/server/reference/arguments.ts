import { dictionary } from '@steward/kernel';

/** A JSON Schema as zod writes it, as far as arguments of tools use it. */
export interface ArgumentSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: ArgumentSchema;
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ArgumentSchema;
  readonly anyOf?: readonly ArgumentSchema[];
  readonly oneOf?: readonly ArgumentSchema[];
}

export interface ArgumentRow {
  /** Path from the arguments: `lines[].account`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly says: string;
}

/** Every argument, with those of its items and members below it, so that a call can be written from the rows alone. */
export function argumentRows(schema: ArgumentSchema, path = ''): ArgumentRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, one]) => {
    const name = path === '' ? key : `${path}.${key}`;
    const row = { name, type: typeOf(one), required: schema.required?.includes(key) ?? false, says: saysOf(one) };
    return [row, ...below(one, name)];
  });
}

function below(schema: ArgumentSchema, name: string): ArgumentRow[] {
  if (schema.items !== undefined) return below(schema.items, `${name}[]`);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.flatMap((option) => below(option, name));
  if (typeof schema.additionalProperties === 'object') return below(schema.additionalProperties, `${name}.*`);
  return argumentRows(schema, name);
}

const formats = dictionary<string>({
  uuid: 'UUID',
  date: 'date',
  'date-time': 'date and time',
  email: 'e-mail',
});

function typeOf(schema: ArgumentSchema): string {
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const name = typeof schema.type === 'object' ? schema.type.join(' or ') : (schema.type ?? 'any');
  const format = schema.format === undefined ? undefined : (formats[schema.format] ?? schema.format);
  return format === undefined ? name : `${name} (${format})`;
}

function saysOf(schema: ArgumentSchema): string {
  const notes = [
    ...limits(schema),
    ...(schema.items === undefined ? [] : limits(schema.items).map((one) => `each ${one}`)),
  ];
  if (schema.default !== undefined) notes.push(`default ${code(JSON.stringify(schema.default))}`);
  const said = schema.description ?? '';
  return [said, notes.length === 0 ? '' : `${notes.join('; ')}.`].filter((part) => part !== '').join(' ');
}

/** Bounds that zod adds to every integer say nothing. */
const unbounded = Number.MAX_SAFE_INTEGER;

function limits(schema: ArgumentSchema): string[] {
  const { minLength, maxLength, minItems, maxItems } = schema;
  const [least, most] = [schema.minimum, schema.maximum].map((bound) =>
    bound === undefined || Math.abs(bound) === unbounded ? undefined : bound,
  );
  return [
    ...between(least, most, ''),
    ...(schema.exclusiveMinimum === undefined ? [] : [`above ${schema.exclusiveMinimum}`]),
    ...(schema.exclusiveMaximum === undefined ? [] : [`below ${schema.exclusiveMaximum}`]),
    ...between(minLength, maxLength, ' characters'),
    ...between(minItems, maxItems, ' items'),
    // The format says what its pattern does.
    ...(schema.pattern === undefined || schema.format !== undefined ? [] : [`matches ${code(schema.pattern)}`]),
  ];
}

function between(least: number | undefined, most: number | undefined, what: string): string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined || (least === 0 && what !== '')) return most === undefined ? [] : [`up to ${most}${what}`];
  return [
    most === undefined ? `${least} or more${what}` : least === most ? `${least}${what}` : `${least} to ${most}${what}`,
  ];
}

/** Within a cell of a table a bar must be escaped even in code. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|').replaceAll('`', '')}\``;
