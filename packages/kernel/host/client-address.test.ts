import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddressReader, limitBucket } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

test('X-Forwarded-For counts only as far as trusted proxies wrote it', () => {
  const plain = clientAddressReader([]);
  assert.equal(plain(from('203.0.113.9', '198.51.100.1')), '203.0.113.9');
  const behind = clientAddressReader(['10.0.0.0/8', '::1']);
  assert.equal(behind(from('10.1.2.3', '198.51.100.1')), '198.51.100.1');
  assert.equal(behind(from('10.1.2.3', '6.6.6.6, 198.51.100.1, 10.0.0.2')), '198.51.100.1');
  assert.equal(behind(from('203.0.113.9', '198.51.100.1')), '203.0.113.9');
  assert.equal(behind(from('10.1.2.3', 'nonsense')), '10.1.2.3');
  assert.equal(behind(from('::ffff:10.1.2.3', '198.51.100.1')), '198.51.100.1');
});

test('an IPv6 subscriber is one bucket, whatever address of its network it uses', () => {
  assert.equal(limitBucket('2001:db8:1:2::1'), limitBucket('2001:db8:1:2:ffff::9'));
  assert.notEqual(limitBucket('2001:db8:1:2::1'), limitBucket('2001:db8:1:3::1'));
  assert.equal(limitBucket('::ffff:192.0.2.1'), '192.0.2.1');
});
