import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const written = /(['"`])([a-z][a-z0-9_]*(?:\.(?:[a-z][a-z0-9_]*|\$\{[^}]*\})){2,5})\1/g;

/** Lists of columns, named by table, which look like types. */
const ofColumns: ReadonlySet<string> = new Set(['apps/server/outlets.ts', 'apps/server/unbound.ts']);

/**
 * Every text in the product's own code that is a type of event: what a verb records, what it publishes, and tables of
 * types. A part that is filled in at run time stands as `x`.
 * @param namespaces first parts of types, such as `commerce`
 */
export function emittedTypes(namespaces: readonly string[]): string[] {
  const files = globSync('{apps,components}/**/*.ts', {
    cwd: root,
    exclude: (path) => /node_modules|fixtures|\.test\.ts$|^apps\/cli\/demo/.test(path),
  });
  const types = files
    .filter((file) => !ofColumns.has(file))
    .flatMap((file) => [...readFileSync(`${root}${file}`, 'utf8').matchAll(written)])
    .map(([, , type = '']) => type.replaceAll(/\$\{[^}]*\}/g, 'x'))
    .filter((type) => namespaces.includes(type.split('.')[0] ?? ''));
  return [...new Set(types)].toSorted();
}
