import type {
  FieldNode,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLLeafType,
  GraphQLObjectType,
  GraphQLOutputType,
  SelectionSetNode,
} from 'graphql';
import type { Selecting } from './collect.ts';
import type { Complete } from './run.ts';

/** What a selection asks of one object type, worked out once and used for every object of it. */
export interface ObjectPlan {
  readonly fields: readonly FieldPlan[];
  /** The response with nothing in it yet: copied, an object has its final shape from the start. */
  readonly blank: Readonly<Record<string, null>>;
  /** A response key is `__proto__`, which a plain object cannot hold. */
  readonly bare: boolean;
}

export interface PlainLeaf {
  readonly name: string;
  readonly type: GraphQLLeafType;
  /** A string represents itself. */
  readonly text: boolean;
  readonly required: boolean;
}

export interface FieldPlan {
  readonly key: string;
  /** Set for `__typename`, whose value is known beforehand. */
  readonly typename: string | undefined;
  readonly parent: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly type: GraphQLOutputType;
  readonly complete: Complete;
  /** Of a scalar or enum that is read off its object, as most fields are; undefined for all others. */
  readonly plain: PlainLeaf | undefined;
}

export interface Planner extends Selecting {
  plan(parent: GraphQLObjectType, selections: readonly SelectionSetNode[]): ObjectPlan;
}
