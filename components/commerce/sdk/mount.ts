import type { Scope } from '@steward/kernel';
import { mountExamples } from './example.ts';
import { mountFiles } from './file.ts';

/** Static files, the same for everybody: no key, no limit, no database. */
export function mountSdk(scope: Scope, { examplePage = false }: { readonly examplePage?: boolean }): void {
  mountFiles(scope);
  if (examplePage) mountExamples(scope);
}
