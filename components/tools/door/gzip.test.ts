import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip, gzipOf } from './gzip.ts';

describe('gzip of a part that is ready and a tail of the request', () => {
  const ready = Buffer.from(`[${'{"name":"service_do_something"},'.repeat(2_000)}`);

  test('unpacks to both, whatever the length of the tail', () => {
    for (const length of [0, 1, 65_534, 65_535, 65_536, 200_000]) {
      const tail = Buffer.alloc(length, 'x');
      assert.deepEqual(gunzipSync(gzipOf(ready, tail)), Buffer.concat([ready, tail]), String(length));
    }
    assert.ok(gzipOf(ready, Buffer.from('}')).length < ready.length / 20);
  });

  test('is sent to whoever says so', () => {
    for (const header of ['gzip', 'GZIP', 'br, gzip;q=0.5', 'deflate, gzip , br', '*', 'x-gzip', 'br;q=1, *;q=0.1'])
      assert.equal(acceptsGzip(header), true, header);
    for (const header of [undefined, '', 'br', 'identity', 'gzip;q=0', 'gzip; q=0.000', '*;q=0', 'gzip;q=0, *'])
      assert.equal(acceptsGzip(header), false, String(header));
  });
});
