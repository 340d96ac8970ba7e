import {
  type Answer,
  type Fixed,
  type Guard,
  pageQuery,
  route,
  type Route,
  type RouteSpec,
  snakeName,
} from '@steward/contract';
import type { Effect } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { z } from 'zod';
import type { OperationOf } from './verb.ts';

interface InTenant {
  readonly context: TenantContext;
}

interface Words<I, A> extends Pick<
  RouteSpec<unknown, unknown, unknown, unknown>,
  'summary' | 'description' | 'headers'
> {
  /** Members of the input that this address does not take. */
  readonly without?: readonly (keyof I)[];
  /** By status, what the answer is; of several, `status` says which. */
  readonly answers: Readonly<Record<number, string>>;
  status?(answer: A): number;
  /** Headers of the answer. */
  sends?(answer: A): Readonly<Record<string, string>>;
  /** What this address answers, where that is not the operation's answer. */
  readonly shows?: { readonly schema: z.ZodType; of(answer: A): unknown };
  /** What this address demands beside the permission; it throws. */
  demands?(context: TenantContext): void;
  /** Of a context, one whose writes are undone: the body takes `dryRun` then, which answers what would be and changes nothing. */
  undone?(context: TenantContext): TenantContext;
  /** Codes of this address alone. */
  readonly errors?: readonly string[];
  /** By what agents are admitted, where that is not the operation's tool; of what no tool does, people alone are. */
  readonly does?: Effect;
  /** As of a route, where the tool calls it otherwise than the path; `false` where the tool takes what this address does not. */
  readonly proposes?: Route['proposes'] | false;
}

/**
 * Routes over operations: parameters of the path come from there; the rest of the input is the query of a GET or DELETE, and
 * the body of anything else. A 204 answers nothing.
 * @param ports what the operations run with, where they do
 * @example const rest = restOf({ guard, tag: 'Contacts' }); rest('GET', '/api/contacts/:contactId', getContact, { summary, answers: { 200: 'The contact.' } })
 */
export function restOf<G extends InTenant, P = unknown>({
  guard,
  tag,
  ports,
}: {
  readonly guard: Guard<G>;
  readonly tag: string;
  readonly ports?: P;
}) {
  return <I extends z.ZodObject, A extends z.ZodType>(
    method: Route['method'],
    path: string,
    verb: OperationOf<I, A, P> | OperationOf<I, A>,
    words: Words<Fixed<z.output<I>>, Fixed<z.output<A>>>,
  ): Route => {
    const shape = verb.input.shape as Readonly<Record<string, z.ZodType>>;
    const named = [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => name ?? '');
    const apart = new Set<PropertyKey>([...named, ...(words.without ?? [])]);
    const rest = Object.entries(shape).filter(([name]) => !apart.has(name));
    const params = Object.fromEntries(named.map((name) => [name, fromText(required(shape[name] ?? z.never()))]));
    const queried = method === 'GET' || method === 'DELETE';
    const sent =
      rest.length === 0
        ? {}
        : queried
          ? { query: queryOf(rest) }
          : { body: bodyOf(verb.input.pick(Object.fromEntries(rest.map(([name]) => [name, true])) as never), words) };
    const statuses = Object.keys(words.answers).map(Number);
    const run = verb as unknown as (
      context: TenantContext,
      input: unknown,
      ports: unknown,
    ) => Promise<Fixed<z.output<A>>>;
    return route<G, object | undefined, object | undefined, object | undefined>({
      method,
      path,
      tag,
      guard,
      does: words.does ?? (verb.name === '' ? 'for_people' : (verb.name as Effect)),
      ...proposing(method, verb, words),
      summary: words.summary,
      ...(words.description === undefined ? {} : { description: words.description }),
      ...(words.headers === undefined ? {} : { headers: words.headers }),
      ...(named.length === 0 ? {} : { params: z.strictObject(params) }),
      ...sent,
      answers: Object.fromEntries(
        Object.entries(words.answers).map(([status, description]) => [
          status,
          status === '204' ? { description } : { description, schema: words.shows?.schema ?? verb.answer },
        ]),
      ),
      errors: [...(verb.errors ?? []), ...(words.errors ?? [])],
      handle: async ({ guard: { context }, params: fromPath, query, body }): Promise<Answer> => {
        words.demands?.(context);
        const { dryRun, ...sentIn } = (body ?? {}) as { readonly dryRun?: boolean };
        const within = dryRun === true && words.undone !== undefined ? words.undone(context) : context;
        const answer = await run(within, { ...query, ...(words.undone ? sentIn : body), ...fromPath }, ports);
        const status = words.status?.(answer) ?? statuses[0] ?? 200;
        if (status === 204) return { status };
        const shown = words.shows === undefined ? answer : words.shows.of(answer);
        return { status, body: shown, ...(words.sends === undefined ? {} : { headers: words.sends(answer) }) };
      },
    });
  };
}

const proposing = (
  method: Route['method'],
  { name }: { readonly name: string },
  { does, proposes = spelled }: Pick<Words<never, never>, 'does' | 'proposes'>,
): Pick<Route, 'proposes'> =>
  method === 'GET' || name === '' || does !== undefined || proposes === false ? {} : { proposes };

const spelled: NonNullable<Route['proposes']> = (params) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [snakeName(name), value]));

const bodyOf = (body: z.ZodObject, { undone }: Pick<Words<never, never>, 'undone'>): z.ZodObject =>
  undone === undefined
    ? body
    : body.extend({
        dryRun: z
          .boolean()
          .default(false)
          .meta({ description: 'Checks all of it and answers what would be done, but changes nothing.' }),
      });

const required = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;

function queryOf(members: readonly (readonly [string, z.ZodType])[]): z.ZodType<object> {
  const own = members.filter(([name]) => name !== 'limit' && name !== 'cursor');
  const cursor = members.find(([name]) => name === 'cursor')?.[1];
  const texts = Object.fromEntries(own.map(([name, schema]) => [name, fromText(schema)]));
  if (cursor === undefined) return z.strictObject(texts);
  return pageQuery((cursor as z.ZodOptional<z.ZodType<string>>).unwrap()).extend(texts);
}

/** Parameters in an address are text: numbers and booleans are read from it. */
function fromText(schema: z.ZodType): z.ZodType {
  const { type, innerType } = schema.def as { readonly type: string; readonly innerType?: z.ZodType };
  const wrapped = ['optional', 'default', 'nullable'].includes(type) && innerType !== undefined;
  const inner = wrapped ? fromText(innerType) : schema;
  const { description } = schema;
  const said = (read: z.ZodType): z.ZodType => (description === undefined ? read : read.describe(description));
  if (type === 'optional') return said(inner.optional());
  if (type === 'default')
    return said(inner.default((schema.def as unknown as { readonly defaultValue: unknown }).defaultValue));
  if (type === 'boolean') return said(z.enum(['true', 'false']).transform((text) => text === 'true'));
  if (type === 'number' || type === 'int')
    return said(
      z
        .string()
        .regex(/^[0-9]{1,10}$/, 'Give an integer')
        .transform(Number)
        .pipe(schema as z.ZodType<unknown, number>),
    );
  return inner;
}
