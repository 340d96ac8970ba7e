import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { tools } from './en/tools.ts';

test('every command has words in each language, in English those of its own title', async () => {
  const reference = await readFile(join(import.meta.dirname, '../../../docs/reference/tools.md'), 'utf8');
  const commands = reference.split('\n## ').flatMap((text) => {
    const [name = '', , , , how = ''] = text.split('\n');
    const [title = '', , kind] = how.split(' · ');
    return kind === 'command' ? [[name, title] as const] : [];
  });
  assert.ok(commands.length > 150, `only ${commands.length} commands`);
  // That the other languages have the same ones is their type.
  assert.deepEqual({ ...tools }, Object.fromEntries(commands));
});
