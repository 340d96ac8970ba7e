import {
  isAbstractType,
  Kind,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from './run.ts';

/** What decides which fields there are: the document, and the booleans that `@skip` and `@include` ask for. */
export interface Selecting {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly flags: Readonly<Record<string, unknown>>;
}

/** Fields of an object by response key, in order (GraphQL §6.3.2, CollectFields). */
export function collect(
  selecting: Selecting,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): Map<string, FieldNode[]> {
  const found = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  for (const selection of selections) gather(selecting, type, selection, found, visited);
  return found;
}

function gather(
  selecting: Selecting,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  found: Map<string, FieldNode[]>,
  visited: Set<string>,
): void {
  for (const node of selections) {
    if (!included(selecting.flags, node.directives)) continue;
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value;
      const nodes = found.get(key);
      if (nodes === undefined) found.set(key, [node]);
      else nodes.push(node);
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      if (applies(selecting.schema, node, type)) gather(selecting, type, node.selectionSet, found, visited);
    } else if (!visited.has(node.name.value)) {
      visited.add(node.name.value);
      const fragment = selecting.fragments[node.name.value];
      if (fragment !== undefined && applies(selecting.schema, fragment, type)) {
        gather(selecting, type, fragment.selectionSet, found, visited);
      }
    }
  }
}

function included(flags: Selecting['flags'], directives: readonly DirectiveNode[] | undefined): boolean {
  if (directives === undefined || directives.length === 0) return true;
  return directives.every((directive) => {
    const name = directive.name.value;
    if (name !== 'skip' && name !== 'include') return true;
    const condition = directive.arguments?.[0]?.value;
    const value =
      condition?.kind === Kind.VARIABLE
        ? flags[condition.name.value]
        : condition?.kind === Kind.BOOLEAN && condition.value;
    return value === (name === 'include');
  });
}

function applies(
  schema: GraphQLSchema,
  fragment: FragmentDefinitionNode | InlineFragmentNode,
  type: GraphQLObjectType,
): boolean {
  if (fragment.typeCondition === undefined) return true;
  const condition = schema.getType(fragment.typeCondition.name.value);
  return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
}

/** Names of the variables that `@skip` and `@include` ask for, anywhere in the document. */
export function flagNames(selections: readonly SelectionSetNode[]): string[] {
  const names = new Set<string>();
  const waiting = [...selections];
  for (let set = waiting.pop(); set !== undefined; set = waiting.pop()) {
    for (const node of set.selections) {
      for (const directive of node.directives ?? []) {
        const value = directive.arguments?.[0]?.value;
        if (value?.kind === Kind.VARIABLE) names.add(value.name.value);
      }
      if ('selectionSet' in node && node.selectionSet !== undefined) waiting.push(node.selectionSet);
    }
  }
  return [...names];
}
