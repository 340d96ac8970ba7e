import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { areas, pillars } from '@steward/access';

const root = import.meta.dirname;
const named = /service_[a-z0-9_]+/g;

test('pages for people name only tools that there are', () => {
  const tools = readFileSync(join(root, 'docs/reference/tools.md'), 'utf8');
  const known = new Set(
    Array.from(tools.matchAll(/^## (?<name>service_[a-z0-9_]+)$/gm), ({ groups }) => groups?.['name']),
  );
  const pages = globSync(['*.md', 'docs/{guides,adr}/*.md', '{apps,components,packages}/*/README.md'], { cwd: root });
  const unknown = pages.flatMap((page) =>
    (readFileSync(join(root, page), 'utf8').match(named) ?? []).flatMap((tool) =>
      known.has(tool) ? [] : [`${page}: ${tool}`],
    ),
  );
  assert.deepEqual(unknown, []);
  assert.ok(known.size > 100 && pages.length > 50);
});

test('the guide of agents names every address that lists tools, and no other', () => {
  const guide = readFileSync(join(root, 'docs/guides/agents.md'), 'utf8');
  const rows = guide.match(/^\| `\/p\/.*$/gm) ?? [];
  assert.deepEqual(
    rows.map((row) => Array.from(row.matchAll(/`\/p\/([a-z/]+)`/g), ([, path]) => path)),
    pillars.map((pillar) => [pillar, ...areas[pillar].map((area) => `${pillar}/${area}`)]),
  );
});
