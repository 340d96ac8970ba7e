import type { PlainLeaf } from './plan.ts';

/**
 * The short path for a leaf that is simply there, or may simply be absent. Undefined sends the field on the long path, which
 * handles promises, functions and errors; it also reports a failure of the type's own coercion.
 */
export function plainValue(
  { name, type, text, required }: PlainLeaf,
  source: Readonly<Record<string, unknown>>,
): unknown {
  const given = source[name];
  if (text && typeof given === 'string') return given;
  if (given === null || given === undefined) return required ? undefined : null;
  if (typeof given === 'function' || (typeof given === 'object' && !(given instanceof Date))) return undefined;
  try {
    return type.coerceOutputValue(given) ?? undefined;
  } catch {
    return undefined;
  }
}
