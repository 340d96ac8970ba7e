/** As much of JSON Schema as our own routes and tools are written in. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
}

const texts: Readonly<Record<string, string>> = {
  email: 'sample@example.com',
  uuid: '01900000-0000-7000-8000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T00:00:00.000Z',
  uri: 'https://example.com/',
};

const byPattern: Readonly<Record<string, string>> = {
  '^[A-Z]{2}$': 'DE',
  '^[A-Z]{3}$': 'EUR',
};

/** A value that fits the schema as far as it says, with every property: enough to get past the door. */
export function sample(schema: Schema): unknown {
  const { type, anyOf, oneOf, properties, items, format, pattern, minimum, minLength } = schema;
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = anyOf ?? oneOf ?? [];
  if (first !== undefined) return sample(first);
  switch (typeof type === 'string' ? type : type?.[0]) {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, sample(one)]));
    case 'array':
      return items === undefined ? [] : [sample(items)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return minimum ?? 1;
    default:
      return texts[format ?? ''] ?? byPattern[pattern ?? ''] ?? 'x'.padEnd(minLength ?? 1, 'x');
  }
}
