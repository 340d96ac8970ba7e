import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { addressDigest } from '@steward/mail';
import { createLinks } from './links.ts';

describe('a link in an email', () => {
  const day = 86_400_000;
  let now = Date.UTC(2026, 10, 22, 12);
  const base = 'https://fjord.example/studio';
  const links = createLinks(Buffer.alloc(32, 7), base, () => now);
  const linked = { tenant: newId(), address: addressDigest('Ann@Example.com') };
  const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

  test('leads back to its tenant and address, until its time is over, and under its own kind only', () => {
    const began = now;
    for (const [kind, other, days] of [
      ['confirm', 'unsubscribe', 7],
      ['unsubscribe', 'confirm', 400],
    ] as const) {
      now = began;
      const url = links.to(kind, linked);
      assert.ok(url.startsWith(`${base}/letters/${kind}/`) && !url.includes('example.com'));
      assert.deepEqual(links.open(kind, tokenOf(url)), linked);
      assert.equal(links.open(other, tokenOf(url)), undefined);
      now = began + days * day;
      assert.deepEqual(links.open(kind, tokenOf(url)), linked);
      now = began + (days + 1) * day;
      assert.equal(links.open(kind, tokenOf(url)), undefined);
    }
    now = began;
  });

  test('is none once a character of it is changed, added or missing, or under another secret', () => {
    const token = tokenOf(links.to('confirm', linked));
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let at = 0; at < token.length; at += 1) {
      const changed = alphabet[(alphabet.indexOf(token[at] ?? '') + 1) % 64];
      assert.equal(links.open('confirm', token.slice(0, at) + changed + token.slice(at + 1)), undefined, `at ${at}`);
    }
    for (const wrong of [`${token}A`, token.slice(1), `${token}=`, `${token} `, '', 'x'.repeat(256)])
      assert.equal(links.open('confirm', wrong), undefined, wrong);
    assert.equal(createLinks(Buffer.alloc(32, 8), base, () => now).open('confirm', token), undefined);
  });
});
