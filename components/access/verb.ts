import type { Fixed } from '@steward/contract';
import type { TenantContext, TenantScope } from '@steward/sql';
import type { z } from 'zod';
import type { Operation } from './operation.ts';

/** As much of an operation as its verb does not say. */
export interface VerbSpec<I extends z.ZodObject, A extends z.ZodType> extends Operation {
  /** In camelCase, as REST writes it; tools spell it in snake_case. */
  readonly input: I;
  readonly answer: A;
  /** Codes beyond those that every door may answer with. */
  readonly errors?: readonly string[];
}

type Verb<I extends z.ZodObject, A extends z.ZodType, P> = (
  context: TenantContext,
  input: Fixed<z.output<I>>,
  ...ports: unknown extends P ? [] : undefined extends P ? [ports?: P] : [ports: P]
) => Promise<Fixed<z.output<A>>>;

/** An operation: the verb, and what every door must know of it. Calling it is calling the verb. */
export type OperationOf<I extends z.ZodObject, A extends z.ZodType, P = unknown> = Verb<I, A, P> & VerbSpec<I, A>;

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
  const verb = async (context: TenantContext, input: Fixed<z.output<I>>, ports: P) =>
    run(context.require(spec.requires), input, ports);
  const { name, ...rest } = spec;
  // What takes ports says so by the number of its parameters, and tools of it as well.
  Object.defineProperties(verb, { name: { value: name }, length: { value: run.length } });
  return Object.assign(verb, rest) as unknown as OperationOf<I, A, P>;
}
