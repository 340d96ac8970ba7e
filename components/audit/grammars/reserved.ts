import { normalized } from '@steward/kernel';
import { patternSource } from './pattern.ts';

const plain = /^[a-z0-9_.]*$/;

/** One spelling for all that a reader could take for the same name: compatibility forms and letter case are folded. */
export function fold(type: string): string {
  if (plain.test(type)) return type;
  return normalized(normalized(type, 'NFKC').toUpperCase().toLowerCase(), 'NFKC');
}

/** Whether a type belongs to a system-owned producer. */
export function reservation(patterns: readonly string[]): (type: string) => boolean {
  if (patterns.length === 0) return () => false;
  const any = new RegExp(`^(?:${patterns.map(patternSource).join('|')})$`, 'su');
  return (type) => any.test(fold(type));
}
