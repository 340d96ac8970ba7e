import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whole } from './sample.ts';
import { folder, partNames, take } from './take.ts';

// Takes the recordings anew, all or those that are named (`npm run record -- errors tools`): what the product says otherwise
// than before is then a difference for people to read.

const named = process.argv.slice(2);
const unknown = named.filter((name) => !partNames.includes(name));
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}, but ${partNames.join(', ')}`);
const parts = named.length === 0 ? partNames : named;
const taken = await take(whole, parts);
for (const part of parts) rmSync(new URL(part, folder), { recursive: true, force: true });
for (const [name, text] of Object.entries(taken)) {
  const path = fileURLToPath(new URL(name, folder));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
console.log(`${Object.keys(taken).length} recordings written.`);
