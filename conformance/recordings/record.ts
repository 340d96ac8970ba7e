import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whole } from './sample.ts';
import { folder, take } from './take.ts';

// Takes all recordings anew, so that what the product says otherwise than before is a difference for people to read.

const taken = await take(whole);
rmSync(folder, { recursive: true, force: true });
for (const [name, text] of Object.entries(taken)) {
  const path = fileURLToPath(new URL(name, folder));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
console.log(`${Object.keys(taken).length} recordings written.`);
