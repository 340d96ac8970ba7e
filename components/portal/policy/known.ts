import { fail } from '@steward/kernel';

/** @throws Problem `invalid_request` (400) that names the first tool of a list that there is not */
export function requireTools(known: ReadonlySet<string>, place: string, names: readonly string[] = []): void {
  const unknown = names.findIndex((name) => !known.has(name));
  if (unknown < 0) return;
  throw fail('invalid_request', `No tool is called ${names[unknown]}: take a name of the list of tools.`, {
    errors: [{ pointer: `${place}/${unknown}`, code: 'unknown_tool', detail: 'There is no such tool.' }],
  });
}
