import {
  getNullableType,
  GraphQLID,
  GraphQLString,
  isLeafType,
  isNonNullType,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from 'graphql';
import { collect, type Selecting } from './collect.ts';
import { completer } from './complete.ts';
import type { FieldPlan, ObjectPlan, PlainLeaf, Planner } from './plan.ts';

/**
 * Plans are closures over the schema, made as objects of a type are first met: nothing a caller wrote ever becomes
 * program text, and a selection that no object reaches costs nothing.
 */
export function createPlanner(selecting: Selecting): Planner {
  const planner: Planner = { ...selecting, plan: (parent, selections) => planObject(planner, parent, selections) };
  return planner;
}

function planObject(planner: Planner, parent: GraphQLObjectType, selections: readonly SelectionSetNode[]): ObjectPlan {
  const fields: FieldPlan[] = [];
  for (const [key, nodes] of collect(planner, parent, selections)) {
    const [first, ...others] = nodes;
    const definition = first && planner.schema.getField(parent, first.name.value);
    if (definition === undefined) continue;
    const site = { parent, definition, nodes: [first, ...others] as [FieldNode, ...FieldNode[]] };
    fields.push({
      ...site,
      key,
      type: definition.type,
      typename: definition.name === '__typename' ? parent.name : undefined,
      resolve: definition.resolve ?? undefined,
      complete: completer(planner, site, definition.type),
      plain: definition.resolve ? undefined : plainLeaf(definition.name, definition.type),
    });
  }
  return {
    fields,
    blank: Object.fromEntries(fields.map(({ key }) => [key, null])),
    bare: fields.some(({ key }) => key === '__proto__'),
  };
}

function plainLeaf(name: string, type: GraphQLOutputType): PlainLeaf | undefined {
  const leaf = getNullableType(type);
  if (!isLeafType(leaf)) return undefined;
  return { name, type: leaf, text: leaf === GraphQLString || leaf === GraphQLID, required: isNonNullType(type) };
}
