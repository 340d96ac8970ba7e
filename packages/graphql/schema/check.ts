import { validator } from '@steward/contract';
import { Problem } from '@steward/kernel';
import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import type { z } from 'zod';
import type { GraphContext } from '../context.ts';

const inputKey = 'steward.input';

/** Marks an argument with the schema that checks it. */
export const checkedBy = (input: z.ZodObject): Readonly<Record<string, unknown>> => ({ [inputKey]: input });

/** The schema that checks the arguments of a field. @throws Error where one of them is checked by none */
export function inputOfField({ name, args }: GraphQLField<unknown, GraphContext>): z.ZodObject | undefined {
  const [input, ...others] = new Set(args.map(({ extensions }) => extensions[inputKey] as z.ZodObject | undefined));
  if (args.length > 0 && (input === undefined || others.length > 0))
    throw new Error(`${name} has an argument that no schema checks: use taking`);
  return input;
}

/** @throws Error for a field with an argument that nothing checks */
export function requireChecks(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !type.name.startsWith('__')) Object.values(type.getFields()).forEach(inputOfField);
}

/** A resolver that is handed what the schema makes of the arguments. It refuses with `invalid_request` and pointers into them. */
export function checking<P, A, R>(
  input: z.ZodObject,
  run: (args: A, context: GraphContext, source: P) => R,
): (source: P, args: unknown, context: GraphContext) => R {
  const check = validator(input, 'arguments');
  const placed = placing(input);
  return (source, args, context) => {
    const checked = check(plain(input, args)) as A;
    try {
      const answer = run(checked, context, source);
      return answer instanceof Promise ? (answer.catch((cause: unknown) => placed(cause)) as R) : answer;
    } catch (cause) {
      return placed(cause);
    }
  };
}

/** A verb names its own input; a caller needs the arguments. An argument that is an object may contain the member that the verb names. */
function placing({ shape }: z.ZodObject): (cause: unknown) => never {
  const places = new Map<string, string>(
    Object.entries(shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, member]) =>
      Object.keys(defOf(member).shape ?? {}).map((inner) => [inner, `/${name}`] as const),
    ),
  );
  for (const name of Object.keys(shape)) places.set(name, '');
  return (cause) => {
    if (!(cause instanceof Problem)) throw cause;
    throw cause.placed((pointer) => {
      const outer = places.get(pointer.split('/')[1] ?? '');
      return outer === undefined ? '' : `${outer}${pointer}`;
    });
  };
}

interface Def {
  readonly type: string;
  readonly format?: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}
const defOf = ({ def }: z.ZodType): Def => def as unknown as Def;

/** As schemas are given it: in GraphQL null says nothing where the schema has no null, and an id may be in upper case. */
function plain(schema: z.ZodType, value: unknown): unknown {
  const { type, format, innerType, element, shape } = defOf(schema);
  if (value === null && type === 'nullable') return null;
  if (innerType !== undefined) return plain(innerType, value);
  if (value === null || value === undefined) return undefined;
  if (element !== undefined) return (value as readonly unknown[]).map((one) => plain(element, one));
  if (format === 'uuid') return (value as string).toLowerCase();
  if (shape === undefined) return value;
  const members = Object.entries(shape).map(
    ([name, member]) => [name, plain(member, (value as Readonly<Record<string, unknown>>)[name])] as const,
  );
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}
