import type { Fixed } from '@steward/contract';
import { Problem } from '@steward/kernel';
import type { TenantContext, TenantScope } from '@steward/sql';
import type { z } from 'zod';
import type { Operation } from './operation.ts';

/** As much of an operation as its verb does not say. */
export interface VerbSpec<I extends z.ZodObject, A extends z.ZodType> extends Operation {
  /** In camelCase, as REST writes it; tools spell it in snake_case. */
  readonly input: I;
  readonly answer: A;
  /**
   * Codes beyond those that every door may answer with; by code, where members of the input bring them about: the member that is refused
   * where the verb names no place itself. Null: no member is at fault.
   */
  readonly errors?: readonly string[] | Refusals<I>;
}

type Refusals<I extends z.ZodObject> = Readonly<Record<string, (keyof I['shape'] & string) | null>>;

type Verb<I extends z.ZodObject, A extends z.ZodType, P> = (
  context: TenantContext,
  input: Fixed<z.output<I>>,
  ...ports: unknown extends P ? [] : undefined extends P ? [ports?: P] : [ports: P]
) => Promise<Fixed<z.output<A>>>;

/** An operation: the verb, and what every door must know of it. Calling it is calling the verb. */
export type OperationOf<I extends z.ZodObject, A extends z.ZodType, P = unknown> = Verb<I, A, P> &
  Omit<VerbSpec<I, A>, 'errors'> & { readonly errors?: readonly string[]; readonly refuses?: Refusals<I> };

/**
 * Names a verb once for all doors. The permission is required before the verb runs; each read and write of its scope checks the
 * role again.
 * @example
 * export const getContact = operation({ ...reads, name: 'service_get_contact', input, answer }, async (scope, { contactId }) => …)
 */
export function operation<I extends z.ZodObject, A extends z.ZodType, P = unknown>(
  spec: VerbSpec<I, A>,
  run: (scope: TenantScope, input: Fixed<z.output<I>>, ports: P) => Promise<Fixed<z.output<A>>>,
): OperationOf<I, A, P> {
  const { name, errors, ...rest } = spec;
  const refuses = errors === undefined || isList(errors) ? {} : errors;
  const verb = async (context: TenantContext, input: Fixed<z.output<I>>, ports: P) => {
    try {
      return await run(context.require(spec.requires), input, ports);
    } catch (error) {
      throw placed(error, refuses);
    }
  };
  // What takes ports says so by the number of its parameters, and tools of it as well.
  Object.defineProperties(verb, { name: { value: name }, length: { value: run.length } });
  const codes = errors === undefined ? {} : { errors: isList(errors) ? errors : Object.keys(errors), refuses };
  return Object.assign(verb, rest, codes) as unknown as OperationOf<I, A, P>;
}

const isList = (errors: object): errors is readonly string[] => Array.isArray(errors);

function placed(error: unknown, refuses: Readonly<Record<string, string | null>>): unknown {
  if (!(error instanceof Problem) || error.errors !== undefined || !Object.hasOwn(refuses, error.code)) return error;
  const { code, status, title, detail, headers, members } = error;
  const member = refuses[code] ?? null;
  if (member === null) return error;
  const errors = [{ pointer: `/${member}`, code, detail }];
  return new Problem(code, status, title, detail, { errors, headers, members, cause: error });
}
