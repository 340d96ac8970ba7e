import type { GraphQLError, GraphQLSchema, OperationDefinitionNode, FragmentDefinitionNode } from 'graphql';
import type { getVariableValues } from 'graphql';
import type { GraphContext } from '../context.ts';

export type Variables = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>;
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** One execution of one operation. */
export interface Run {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly variables: Variables;
  readonly context: GraphContext;
  readonly errors: GraphQLError[];
  /** Response positions that an error turned to null; failures below them are not reported. */
  readonly nulled: Set<string>;
}

/** The place of a value in the response; built only as deep as objects go. */
export interface Path {
  readonly prev: Path | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
}

/** Turns what a resolver gave into its place in the response; a failure is thrown. */
export type Complete = (run: Run, value: unknown, path: Path | undefined, key: string | number) => unknown;

export function pathKeys(path: Path | undefined, key: string | number): (string | number)[] {
  const keys = [key];
  for (let at = path; at !== undefined; at = at.prev) keys.push(at.key);
  return keys.toReversed();
}

/** Of what execution itself made. */
export const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/** Of what a resolver gave, which may come from any library. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
