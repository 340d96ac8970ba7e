import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, serve } from '@steward/audit/testing';
import { verifierRoute } from './route.ts';

test('the verifier is given to anybody, as a file', async () => {
  await using world = await createWorld();
  const one = world.process();
  await using site = await serve({ ...one, serves: [{ routes: () => [verifierRoute], graph: () => undefined }] });
  const answer = await fetch(`${site.url}/api/audit/verifier`);
  assert.match(answer.headers.get('content-disposition') ?? '', /steward-audit-verify\.mjs/);
  assert.match(await answer.text(), /^#!\/usr\/bin\/env node\n/);
});
