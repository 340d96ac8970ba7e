import type { Scope } from '@steward/kernel';
import { mountExamples, type SaysOf } from './example.ts';
import { mountFiles } from './file.ts';

/** Static files, the same for everybody: no key, no limit, no database. @param example what pages of products say in the example shop; undefined: there is none */
export function mountSdk(scope: Scope, { example }: { readonly example?: SaysOf | undefined }): void {
  mountFiles(scope);
  if (example !== undefined) mountExamples(scope, example);
}
