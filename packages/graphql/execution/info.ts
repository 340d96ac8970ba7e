import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Path, Run } from './run.ts';

/** One field of a selection, whichever object of its parent type it is read from. */
export interface FieldSite {
  readonly parent: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

/** The fourth argument of a resolver, as graphql-js makes it. */
export const infoOf = (run: Run, site: FieldSite, path: Path): GraphQLResolveInfo => ({
  fieldName: site.definition.name,
  fieldNodes: site.nodes,
  returnType: site.definition.type,
  parentType: site.parent,
  path,
  schema: run.schema,
  fragments: run.fragments,
  rootValue: undefined,
  operation: run.operation,
  variableValues: run.variables,
  getAbortSignal: () => undefined,
  getAsyncHelpers: () => asyncHelpers,
});

const asyncHelpers: ReturnType<GraphQLResolveInfo['getAsyncHelpers']> = {
  promiseAll: async (values) => Promise.all(values),
  track: () => undefined,
};
