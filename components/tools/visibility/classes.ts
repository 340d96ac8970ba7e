import type { Caller, Surface, AccessProfile } from '@steward/access';
import { BoundedMap } from '@steward/kernel';
import type { CompiledTool } from '../catalogue/compile.ts';
import type { View } from '../catalogue/view.ts';
import { visible } from './visible.ts';

/** Everyone who sees the same tools shares one of these. */
export interface VisibilityClass {
  readonly tools: ReadonlyMap<string, CompiledTool>;
  /** The start of a `tools/list` answer up to its last tool; what differs by request is written after it. */
  list(): Buffer;
  /** The start of a manifest up to its last tool, likewise. */
  manifest(): Buffer;
}

export type Classes = (caller: Caller, profile: AccessProfile | undefined, view: View) => VisibilityClass;

const listStart = '{"jsonrpc":"2.0","result":{"tools":';

/** Classes and bodies kept at most: tenants may each have a policy of their own, and a body has tens of kilobytes. */
const kept = 256;

interface Entry {
  readonly caller: Caller;
  readonly view: View;
  readonly of: VisibilityClass;
}

/** Classes remembered for one profile: it has few tokens at a time, and what is missed at one address is looked for at each. */
const keptPerProfile = 16;

/**
 * Finds the class of a caller. It is remembered by the identity of the profile and the caller: their caches hand out
 * the same objects until something changes, and then new ones.
 */
export function createClasses(catalogue: readonly CompiledTool[], surface: Surface): Classes {
  const classes = new BoundedMap<string, VisibilityClass>(kept);
  const lists = new BoundedMap<VisibilityClass, Buffer>(kept);
  const manifests = new BoundedMap<VisibilityClass, Buffer>(kept);
  const known = new WeakMap<object, Entry[]>();

  const classOf = (seen: readonly CompiledTool[]): VisibilityClass => {
    const made: VisibilityClass = {
      tools: new Map(seen.map((tool) => [tool.name, tool])),
      list: () =>
        lists.get(made) ?? keep(lists, made, Buffer.from(`${listStart}[${seen.map(({ listed }) => listed).join()}]`)),
      manifest: () =>
        manifests.get(made) ??
        keep(manifests, made, Buffer.from(`{"tools":[${seen.map(({ described }) => described).join()}]`)),
    };
    return made;
  };

  const decide = (caller: Caller, profile: AccessProfile | undefined, view: View): VisibilityClass => {
    const viewer = { surface, view, scopes: caller.scopes, profile };
    const seen = catalogue.filter(({ tool }) => tool === undefined || visible(tool, viewer));
    const key = seen.map(({ name }) => name).join();
    return classes.get(key) ?? keep(classes, key, classOf(seen));
  };

  return (caller, profile, view) => {
    const entries = known.get(profile ?? caller);
    if (entries !== undefined) {
      for (const entry of entries) if (entry.caller === caller && entry.view === view) return entry.of;
    }
    const of = decide(caller, profile, view);
    known.set(profile ?? caller, [{ caller, view, of }, ...(entries ?? []).slice(0, keptPerProfile - 1)]);
    return of;
  };
}

function keep<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value);
  return value;
}
