import { normalized } from '@steward/kernel';

/**
 * A handle made of a title: letters and digits of ASCII with single hyphens, without marks; empty where nothing is left of it.
 * @example handleOf('Leinen-Hemd „Süd“') // leinen-hemd-sud
 */
export function handleOf(title: string): string {
  const plain = normalized(title, 'NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  return plain
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 100)
    .split('-')
    .filter((word) => word !== '')
    .join('-');
}
