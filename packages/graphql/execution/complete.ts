import {
  GraphQLError,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from 'graphql';
import type { ObjectPlan, Planner } from './plan.ts';
import { executeFields } from './fields.ts';
import { abandon, guarded, settled } from './guard.ts';
import { infoOf, type FieldSite } from './info.ts';
import { isPromise, isThenable, type Complete, type Path } from './run.ts';
import { runtimeType } from './runtime-type.ts';

/**
 * How values of `type` are brought into the response (GraphQL §6.4.3, CompleteValue). What is there never becomes null
 * on the way, so a required field has to look at its value only.
 */
export function completer(planner: Planner, site: FieldSite, type: GraphQLOutputType): Complete {
  const required = isNonNullType(type);
  const named = required ? type.ofType : type;
  const complete = isListType(named)
    ? list(planner, site, named)
    : isLeafType(named)
      ? leaf(named)
      : composite(planner, site, named);
  return (run, value, path, key) => {
    if (value === null || value === undefined) {
      if (!required) return null;
      throw new Error(`Cannot return null for non-nullable field ${site.parent.name}.${site.definition.name}.`);
    }
    if (value instanceof Error) throw value;
    return complete(run, value, path, key);
  };
}

function leaf(type: GraphQLLeafType): Complete {
  return (_run, value) => {
    const done = type.coerceOutputValue(value);
    if (done === null || done === undefined) throw new Error(`${type.name} made nothing of a ${typeof value}.`);
    return done;
  };
}

function list(planner: Planner, { nodes, ...site }: FieldSite, type: GraphQLList<GraphQLOutputType>): Complete {
  const item = { nodes, type: type.ofType };
  const complete = completer(planner, { ...site, nodes }, type.ofType);
  return (run, value, path, key) => {
    if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${site.parent.name}.${site.definition.name}".`,
      );
    }
    const own = step(path, key, site.parent);
    const items: unknown[] = [];
    let pending: Promise<void>[] | undefined;
    try {
      const given: readonly unknown[] = Array.isArray(value) ? value : Array.from(value as Iterable<unknown>);
      for (let index = 0; index < given.length; index += 1) {
        const done = guarded(run, item, complete, given[index], own, index);
        items.push(done);
        if (isPromise(done)) (pending ??= []).push(done.then((later) => void (items[index] = later)));
      }
    } catch (error) {
      abandon(pending);
      throw error;
    }
    return settled(items, pending);
  };
}

function composite(planner: Planner, site: FieldSite, type: GraphQLObjectType | GraphQLAbstractType): Complete {
  const selections: SelectionSetNode[] = site.nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const plans = new Map<GraphQLObjectType, ObjectPlan>();
  const object = (actual: GraphQLObjectType): Complete => {
    let plan = plans.get(actual);
    if (plan === undefined) {
      plan = planner.plan(actual, selections);
      plans.set(actual, plan);
    }
    const known = plan;
    return (run, value, path, key) => executeFields(run, known, value, step(path, key, site.parent));
  };
  const checked = (actual: GraphQLObjectType): Complete => {
    const { isTypeOf } = actual;
    if (isTypeOf === undefined || isTypeOf === null) return object(actual);
    return (run, value, path, key) => {
      const proceed = (verdict: boolean): unknown => {
        if (!verdict) throw new GraphQLError(`Expected value of type "${actual.name}".`, { nodes: site.nodes });
        return object(actual)(run, value, path, key);
      };
      const verdict = isTypeOf(value, run.context, infoOf(run, site, step(path, key, site.parent)));
      return isThenable(verdict) ? Promise.resolve(verdict).then(proceed) : proceed(verdict);
    };
  };
  if (isObjectType(type)) {
    let ready: Complete | undefined;
    return (run, value, path, key) => (ready ??= checked(type))(run, value, path, key);
  }
  if (!isAbstractType(type)) throw new TypeError(`${String(type)} has no fields`);
  return (run, value, path, key) => {
    const actual = runtimeType(run, site, type, value, step(path, key, site.parent));
    return isPromise(actual)
      ? actual.then((settled) => checked(settled as GraphQLObjectType)(run, value, path, key))
      : checked(actual)(run, value, path, key);
  };
}

const step = (prev: Path | undefined, key: string | number, parent: GraphQLObjectType): Path => ({
  prev,
  key,
  typename: typeof key === 'string' ? parent.name : undefined,
});
