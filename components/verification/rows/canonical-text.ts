import { canonical } from '@steward/audit/chain';

/**
 * Whether a text is what RFC 8785 makes of its value. For parsed JSON that is what JSON.stringify writes, as long as the
 * members are sorted (RFC 8785 section 3.2.2 takes ECMAScript's rules), which costs a third of canonicalizing.
 */
export function isCanonical(text: string, value: unknown): boolean {
  // An escaped surrogate may be a lone one, which has no canonical form but which JSON.stringify escapes again.
  if (!text.includes(String.raw`\ud`) && isSorted(value) && JSON.stringify(value) === text) return true;
  try {
    return canonical(value) === text;
  } catch {
    return false;
  }
}

function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let before = '';
  for (const [name, member] of Object.entries(value)) {
    if (name < before || !isSorted(member)) return false;
    before = name;
  }
  return true;
}
