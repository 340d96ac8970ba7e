import type { Principal } from './envelope.ts';
import { type Faults, type Spelling, spell, step } from './faults.ts';
import { isObject, readText } from './text.ts';

const types: ReadonlySet<unknown> = new Set(['user', 'agent', 'service', 'system']);

/** The chain that a caller claims: 1–16 principals of known types with ids; `system` only where `mayBeSystem`. */
export function readPrincipals(
  value: unknown,
  spelling: Spelling,
  mayBeSystem: boolean,
  faults: Faults,
): readonly Principal[] {
  const pointer = step(spell('principalChain', spelling));
  if (!Array.isArray(value) || value.length < 1 || value.length > 16) {
    faults.add(pointer, 'invalid_length', 'This must be a list of 1 to 16 principals.');
    return [];
  }
  return value.flatMap((link: unknown, index) =>
    readPrincipal(link, `${pointer}/${index}`, spelling, mayBeSystem, faults),
  );
}

function readPrincipal(
  link: unknown,
  pointer: string,
  spelling: Spelling,
  mayBeSystem: boolean,
  faults: Faults,
): Principal[] {
  if (!isObject(link)) {
    faults.add(pointer, 'invalid_type', 'A principal is an object.');
    return [];
  }
  const [typeName, idName] = [spell('principalType', spelling), spell('principalId', spelling)];
  for (const key of Object.keys(link)) {
    // GraphQL's input carries the name it shows; names are personal data and are looked up on reading instead.
    const known = key === typeName || key === idName || (spelling === 'camel' && key === 'displayName');
    if (!known) faults.add(`${pointer}${step(key)}`, 'unknown_field', 'There is no such field.');
  }
  const type = link[typeName];
  const id = readText(link[idName], `${pointer}/${idName}`, faults, { least: 1, most: 300 });
  if (!types.has(type)) {
    faults.add(`${pointer}/${typeName}`, 'invalid_value', 'This must be user, agent, service or system.');
    return [];
  }
  if (type === 'system' && !mayBeSystem) {
    faults.add(`${pointer}/${typeName}`, 'invalid_value', 'Only a platform service may speak for the system.');
    return [];
  }
  return id === undefined ? [] : [{ principalType: type as Principal['principalType'], principalId: id }];
}
