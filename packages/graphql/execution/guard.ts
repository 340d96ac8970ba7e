import { isNonNullType, locatedError, type FieldNode, type GraphQLOutputType } from 'graphql';
import { isPromise, isThenable, pathKeys, type Complete, type Path, type Run } from './run.ts';

/** Where errors of one field, or of one item of its list, go (GraphQL §6.4.4, handling execution errors). */
export interface Site {
  readonly nodes: readonly FieldNode[];
  readonly type: GraphQLOutputType;
}

/** Completes a value; an error becomes null in place, or propagates upwards if null is not allowed. */
export function guarded(
  run: Run,
  site: Site,
  complete: Complete,
  value: unknown,
  path: Path | undefined,
  key: string | number,
): unknown {
  try {
    const done = isThenable(value)
      ? Promise.resolve(value).then((settled) => complete(run, settled, path, key))
      : complete(run, value, path, key);
    return isPromise(done) ? done.then(undefined, (error: unknown) => failed(run, site, error, path, key)) : done;
  } catch (error) {
    return failed(run, site, error, path, key);
  }
}

export function failed(run: Run, site: Site, error: unknown, path: Path | undefined, key: string | number): null {
  const keys = pathKeys(path, key);
  const located = locatedError(error, site.nodes, keys);
  if (isNonNullType(site.type)) throw located;
  const places = keys.map((_, index) => JSON.stringify(keys.slice(0, index + 1)));
  if (!places.some((place) => run.nulled.has(place))) {
    run.nulled.add(places.at(-1) ?? '');
    run.errors.push(located);
  }
  return null;
}

/** `container` once every promise of it has settled in its place. */
export function settled<T>(container: T, pending: readonly Promise<void>[] | undefined): T | Promise<T> {
  return pending === undefined ? container : Promise.all(pending).then(() => container);
}

/** Ignores promises whose container failed: their own failures do not matter any more. */
export function abandon(pending: readonly Promise<void>[] | undefined): void {
  if (pending !== undefined) void Promise.allSettled(pending);
}
