import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { dictionary } from '@steward/kernel';
import { parseSync, Visitor } from 'oxc-parser';

// A word from outside, such as a status of a provider, is looked up in a table of ours. `constructor` and its like must not be
// found there; an entry of this list that is no longer needed fails as well.

/** Literals that are asked for no word from outside, or where there is no `dictionary`. */
const harmless: Readonly<Record<string, string>> = {
  'apps/console/build/built.ts types': 'Files that the build made, by their endings.',
  'apps/server/reference/errors.ts tables': 'Is listed whole.',
  'components/archive/targets/s3/probe.ts tried': 'Is answered whole.',
  'components/orders/orders/place.ts columns': 'Is written whole.',
  'packages/postgres/settings.ts initialSettings': 'Is written whole.',
  'packages/storefront/messages/languages.ts shipped':
    'Is asked with Object.hasOwn: the script for browsers imports nothing.',
  'packages/storefront/shop/languages.ts shipped':
    'Is asked with Object.hasOwn: the script for browsers imports nothing.',
  'packages/storefront/shop/places.ts regions': 'Is asked with Object.hasOwn: the script for browsers imports nothing.',
  'packages/testing/run-services.ts variables': 'Is listed whole.',
};

/** Names of variables in the text of a module that are declared as tables by any word, and made of a literal. */
function literals(file: string, text: string): string[] {
  const found: string[] = [];
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== 'Identifier' || !id.typeAnnotation || init?.type !== 'ObjectExpression') return;
      const type = text.slice(id.typeAnnotation.start, id.typeAnnotation.end);
      const holds = init.properties.some((one) => one.type === 'Property' && !one.computed);
      if (holds && /^:\s*(?:Readonly<|Partial<|\s)*Record<\s*string\b/.test(type)) found.push(`${file} ${id.name}`);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

test('a table of words holds no word that is not its own', () => {
  const found = globSync('{apps,components,packages}/**/*.{ts,tsx}', {
    cwd: import.meta.dirname,
    exclude: (path) => /node_modules|\/dist$|\/fixtures$|\.test\.tsx?$|\.d\.ts$/.test(path),
  }).flatMap((file) => literals(file, readFileSync(new URL(file, import.meta.url), 'utf8')));
  assert.deepEqual(found.toSorted(), Object.keys(harmless).toSorted());
  assert.deepEqual(literals('a.ts', 'export const kinds: Readonly<Record<string, string>> = { a: "b" };'), [
    'a.ts kinds',
  ]);

  const table = dictionary({ pending: 1 });
  const strange = Object.getOwnPropertyNames(Object.prototype);
  assert.ok(strange.includes('__proto__') && strange.every((word) => table[word] === undefined && !(word in table)));
  assert.deepEqual([table['pending'], Object.entries(table)], [1, [['pending', 1]]]);
});
