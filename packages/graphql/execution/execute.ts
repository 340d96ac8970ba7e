import { GraphQLError, OperationTypeNode } from 'graphql';
import { executeFields, executeSerially } from './fields.ts';
import type { ObjectPlan } from './plan.ts';
import { isPromise, type Run } from './run.ts';

export interface Executed {
  readonly data: unknown;
  readonly errors: readonly GraphQLError[];
}

/** Runs a planned operation (GraphQL §6.2). Never throws: what fails is in `errors`. */
export function execute(run: Run, root: ObjectPlan): Executed | Promise<Executed> {
  const finish = (data: unknown): Executed => ({ data, errors: run.errors });
  const lost = (error: unknown): Executed => {
    run.errors.push(
      error instanceof GraphQLError ? error : new GraphQLError('Failed.', { originalError: asError(error) }),
    );
    return finish(null);
  };
  try {
    const data =
      run.operation.operation === OperationTypeNode.MUTATION
        ? executeSerially(run, root)
        : executeFields(run, root, undefined, undefined);
    return isPromise(data) ? data.then(finish, lost) : finish(data);
  } catch (error) {
    return lost(error);
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
