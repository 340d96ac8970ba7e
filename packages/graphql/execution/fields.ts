import { getArgumentValues } from 'graphql';
import { abandon, failed, guarded, settled } from './guard.ts';
import { infoOf } from './info.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import { plainValue } from './plain.ts';
import { isPromise, type Path, type Run } from './run.ts';

type Response = Record<string, unknown>;

/** The fields of one object, side by side (GraphQL §6.3, ExecuteSelectionSet). */
export function executeFields(run: Run, plan: ObjectPlan, source: unknown, path: Path | undefined): unknown {
  const response = empty(plan);
  const object = typeof source === 'object' && source !== null ? (source as Response) : undefined;
  let pending: Promise<void>[] | undefined;
  try {
    for (const field of plan.fields) {
      const plain = field.plain && object && plainValue(field.plain, object);
      if (plain !== undefined) {
        response[field.key] = plain;
        continue;
      }
      const value = executeField(run, field, source, path);
      response[field.key] = value;
      if (isPromise(value)) (pending ??= []).push(value.then((later) => void (response[field.key] = later)));
    }
  } catch (error) {
    abandon(pending);
    throw error;
  }
  return settled(response, pending);
}

/** The fields of a mutation's root, one after the other. */
export async function executeSerially(run: Run, plan: ObjectPlan): Promise<unknown> {
  const response = empty(plan);
  for (const field of plan.fields) response[field.key] = await executeField(run, field, undefined, undefined);
  return response;
}

const empty = ({ bare, blank }: ObjectPlan): Response => (bare ? (Object.create(null) as Response) : { ...blank });

function executeField(run: Run, field: FieldPlan, source: unknown, path: Path | undefined): unknown {
  if (field.typename !== undefined) return field.typename;
  let value: unknown;
  try {
    value = resolve(run, field, source, path);
  } catch (error) {
    return failed(run, field, error, path, field.key);
  }
  return guarded(run, field, field.complete, value, path, field.key);
}

function resolve(run: Run, field: FieldPlan, source: unknown, path: Path | undefined): unknown {
  if (field.resolve !== undefined)
    return field.resolve(source, argumentsOf(run, field), run.context, info(run, field, path));
  if (typeof source !== 'object' || source === null) return undefined;
  const property = (source as Response)[field.definition.name];
  if (typeof property !== 'function') return property;
  return (source as Record<string, (...given: unknown[]) => unknown>)[field.definition.name]?.(
    argumentsOf(run, field),
    run.context,
    info(run, field, path),
  );
}

const argumentsOf = (run: Run, field: FieldPlan): Record<string, unknown> =>
  field.definition.args.length === 0 ? {} : getArgumentValues(field.definition, field.nodes[0], run.variables);

const info = (run: Run, field: FieldPlan, prev: Path | undefined) =>
  infoOf(run, field, { prev, key: field.key, typename: field.parent.name });
