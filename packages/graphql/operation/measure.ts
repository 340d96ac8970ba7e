import {
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  Kind,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from '../execution/run.ts';
import { weightOf } from '../schema/weight.ts';
import type { Costs, OperationCost, Size } from './cost.ts';

/** What an operation asks for, measured on a valid document; every fragment is walked once. */
export interface Measure {
  readonly depth: number;
  readonly rootFields: number;
  readonly cost: OperationCost;
}

interface Part {
  readonly depth: number;
  readonly fields: number;
  readonly costs: Costs;
}

/** Introspection answers nothing of the tenant's but is long: one such field counts as much as a large list. */
const introspectionCost = 5_000;
const defaultSize = 20;
const sizeArguments = ['limit', 'first', 'last'];

export function measure(
  schema: GraphQLSchema,
  fragments: Fragments,
  root: GraphQLCompositeType,
  selectionSet: SelectionSetNode,
): Measure {
  const places = new Map<string, number>();
  const parts: Part[] = [];

  const fragment = (name: string): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    const definition = fragments[name];
    const type = definition && schema.getType(definition.typeCondition.name.value);
    if (definition === undefined || !isCompositeType(type)) throw new TypeError(`no fragment ${name}`);
    const part = walk(type, definition.selectionSet);
    places.set(name, parts.push(part) - 1);
    return parts.length - 1;
  };

  const walk = (type: GraphQLCompositeType, { selections }: SelectionSetNode): Part => {
    let [depth, fields, own] = [0, 0, 0];
    const spreads: number[] = [];
    const inner: Costs['parts'][number][] = [];
    const take = (part: Part): void => {
      depth = Math.max(depth, part.depth);
      fields += part.fields;
    };
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const one = field(type, node);
        depth = Math.max(depth, one.depth);
        fields += 1;
        own += one.own;
        if (one.part !== undefined) inner.push(one.part);
      } else if (node.kind === Kind.FRAGMENT_SPREAD) {
        const place = fragment(node.name.value);
        spreads.push(place);
        const part = parts[place];
        if (part !== undefined) take(part);
      } else {
        const narrowed = node.typeCondition && schema.getType(node.typeCondition.name.value);
        const part = walk(isCompositeType(narrowed) ? narrowed : type, node.selectionSet);
        take(part);
        inner.push({ size: 1, costs: part.costs });
      }
    }
    return { depth, fields, costs: { own, spreads, parts: inner } };
  };

  const field = (
    parent: GraphQLCompositeType,
    node: FieldNode,
  ): { depth: number; own: number; part?: Costs['parts'][number] } => {
    const definition = schema.getField(parent, node.name.value);
    if (definition === undefined) return { depth: 1, own: 1 };
    if (definition.name === '__schema' || definition.name === '__type') return { depth: 1, own: introspectionCost };
    const own = weightOf(definition).cost ?? 1;
    const size = sizeOf(definition, node);
    const type = getNamedType(definition.type);
    if (node.selectionSet === undefined || !isCompositeType(type)) {
      if (typeof size === 'number') return { depth: 1, own: own * Math.max(size, 1) };
      return { depth: 1, own, part: { size, costs: { own: 1, spreads: [], parts: [] } } };
    }
    const below = walk(type, node.selectionSet);
    return { depth: below.depth + 1, own, part: { size, costs: { ...below.costs, own: below.costs.own + 1 } } };
  };

  const whole = walk(root, selectionSet);
  return {
    depth: whole.depth,
    rootFields: whole.fields,
    cost: { fragments: parts.map(({ costs }) => costs), root: whole.costs },
  };
}

function sizeOf(definition: GraphQLField<unknown, unknown>, node: FieldNode): Size {
  const argument = definition.args.find(({ name }) => sizeArguments.includes(name));
  const fallback = weightOf(definition).size ?? (isList(definition.type) || argument !== undefined ? defaultSize : 1);
  if (argument === undefined) return fallback;
  const declared: unknown = argument.default?.value ?? argument.defaultValue;
  const otherwise = typeof declared === 'number' ? declared : fallback;
  const given = node.arguments?.find(({ name }) => name.value === argument.name)?.value;
  if (given?.kind === Kind.INT) return Math.max(Number(given.value), 0);
  return given?.kind === Kind.VARIABLE ? { variable: given.name.value, otherwise } : otherwise;
}

const isList = (type: GraphQLOutputType): boolean =>
  isListType(type) || (isNonNullType(type) && isListType(type.ofType));
