import { isAsItWas, type OperationOf } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { z } from 'zod';
import type { ApprovalTraits, Names, TenantCall, Tool } from './tool.ts';

/** What a tool answers of what its operation does. */
interface Shown<A> {
  readonly schema: z.ZodObject;
  of(answer: A): object;
}

/** The whole answer as one member. @example shows: under('document', document.answer) */
export const under = <A extends z.ZodType>(name: string, answer: A): Shown<Fixed<z.output<A>>> => ({
  schema: z.object({ [name]: answer }),
  of: (found) => ({ [name]: found }),
});

/** As an outcome says of what is so already; of a preview in the same words, since nothing would change. */
export const nothingChanges = (state: string) =>
  ({ summary: `${state} It is so already: nothing changes.`, unchanged: true }) as const;

/** What a tool takes, of which it makes what its operation takes. */
interface Asked<T extends z.ZodObject, I> {
  readonly schema: T;
  of(args: Fixed<z.output<T>>): I;
}

/** What a tool adds to an operation for models. */
interface Words<I, A, P, T extends z.ZodObject>
  extends
    Pick<Tool, 'title' | 'description' | 'core'>,
    Partial<Pick<Tool, 'rare' | 'final' | 'annotations' | 'answersSecret'>> {
  readonly approval?: ApprovalTraits<Fixed<z.output<T>>>;
  /** Members of its input and of its answer that the tool calls otherwise, by the operation's names; `items: 'contacts'` names a list. */
  readonly takes?: { readonly [K in keyof I]?: string };
  readonly answers?: { readonly [K in keyof A]?: string };
  /** What the tool takes, where that is put together otherwise. */
  readonly asks?: Asked<T, I>;
  /** What the tool answers, where that is put together otherwise. */
  readonly shows?: Shown<A>;
  /** One or two sentences: what happened; of a preview what would, beginning with “Would”. */
  say(answer: A, preview: boolean, asked: I): string;
  /** What the caller should beware of in this answer. */
  warn?(answer: A): string | undefined;
  /** What an approver is shown and binds, where that is not the answer. */
  preview?(answer: A, asked: I): unknown;
  /** Whether all was so already. */
  unchanged?(answer: A): boolean;
  /** It is answered of what was done as well, so that the two are compared. */
  readonly keepsPreview?: boolean;
  readonly ports?: P;
}

/**
 * A tool that is an operation.
 * @example toolOf(getContact, { core: true, title: 'Get a contact', description: '…', say: (found) => called(found) })
 */
export function toolOf<I extends z.ZodObject, A extends z.ZodType, P = unknown, T extends z.ZodObject = I>(
  verb: OperationOf<I, A, P>,
  words: Words<Fixed<z.output<I>>, Fixed<z.output<A>>, P, T>,
): Tool<P> {
  const { name, pillar, area, kind, tier, everywhere, surfaces, requires, personas, input, answer } = verb;
  const {
    say,
    warn,
    unchanged,
    preview: bound,
    keepsPreview = false,
    asks,
    shows,
    takes = {},
    answers = {},
    ...rest
  } = words;
  const inside = inverse(takes as Names);
  const call = verb as unknown as (context: unknown, input: object, ports: P) => Promise<Fixed<z.output<A>>>;
  const run = async ({ context, preview }: TenantCall, args: object, ports: P) => {
    const asked = (asks?.of(args as never) ?? renamed(args, inside)) as Fixed<z.output<I>>;
    const data = await call(context, asked, ports);
    if (isAsItWas(data)) {
      const answered = shows?.of(data) ?? renamed(data as object, answers as Names);
      return { ...nothingChanges(say(data, false, asked)), data: answered };
    }
    const warning = warn?.(data);
    const instead = {
      ...(unchanged?.(data) === true ? { unchanged: true } : {}),
      ...(bound !== undefined && (preview || keepsPreview) ? { preview: bound(data, asked) } : {}),
    };
    // What is not the answer is not compared with one: that may hold what nobody can foresee, such as a secret.
    const words = { summary: say(data, preview, asked), ...(warning === undefined ? {} : { warning }) };
    if (preview && bound !== undefined && !keepsPreview) return { ...words, ...instead };
    return {
      ...words,
      data: shows?.of(data) ?? renamed(data as object, answers as Names),
      ...instead,
    };
  };
  return {
    annotations: {},
    ...rest,
    name,
    pillar,
    kind,
    tier,
    surfaces,
    requires,
    personas,
    ...(area === undefined ? {} : { area }),
    ...(everywhere === undefined ? {} : { everywhere }),
    takes,
    input: asks?.schema ?? withNames(input, takes as Names),
    output: shows?.schema ?? (answer instanceof z.ZodObject ? withNames(answer, answers as Names) : answer),
    run: Object.defineProperty(run, 'length', { value: verb.length }),
  } as unknown as Tool<P>;
}

const inverse = (names: Names): Names => Object.fromEntries(Object.entries(names).map(([own, other]) => [other, own]));

function renamed(value: object, names: Names): object {
  if (Object.keys(names).length === 0) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]: [string, unknown]) => [names[key] ?? key, one]));
}

function withNames(schema: z.ZodObject, names: Names): z.ZodObject {
  if (Object.keys(names).length === 0) return schema;
  return schema.clone({ ...schema.def, shape: renamed(schema.shape, names) as z.ZodObject['shape'] });
}
