import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeBack } from './back.ts';

const origin = 'https://portal.example';

test('leads back to a page of the console, and else to its beginning', () => {
  for (const to of ['/o/1', '/o/1/approvals/2?x=y#z', '/console/stepped-up', '/console/approvals/2'])
    assert.equal(safeBack(to, origin), to);
  for (const to of [
    null,
    '',
    '/',
    'o/1',
    '//evil.example/o/1',
    '/\\evil.example/o/1',
    '\\/evil.example/o/1',
    'https://evil.example/o/1',
    'https://portal.example@evil.example/o/1',
    'javascript:alert(1)',
    ' /o/1',
    '/o/../portal/api/x',
    '/portal/approvals',
    '/console/sign-in',
    `/o/${'x'.repeat(2_000)}`,
    '/\t/evil.example/o/1',
  ])
    assert.equal(safeBack(to, origin), '/', String(to));
});
