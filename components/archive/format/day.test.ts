import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayLine } from './line.ts';
import { type DayManifest, manifestBytes, manifestSha256, platformLine, readManifest } from './manifest.ts';
import { dayPaths, keyPath } from './paths.ts';

const hex = (byte: string): string => byte.repeat(32);
const tenant = '01980a4e-7d00-7000-8000-00000000a11d';
const manifest: DayManifest = {
  format: 'steward-audit-day/1',
  tenant,
  day: '2026-03-01',
  incarnation: 1,
  firstSequence: 17,
  lastSequence: 18,
  count: 2,
  firstPreviousHash: hex('0a'),
  lastRowHash: hex('0b'),
  bytes: 700,
  sha256: hex('0c'),
  root: hex('0d'),
  previous: { day: '2026-02-28', manifestSha256: hex('0e') },
  target: { kind: 'file', writeOnce: true, by: 'link', tried: { replace: false } },
};

describe('a sealed day', () => {
  test('has its three places, and a key its own', () => {
    assert.deepEqual(dayPaths(tenant, '2026-03-01'), {
      rows: `${tenant}/2026/03/01.jsonl`,
      manifest: `${tenant}/2026/03/01.manifest.json`,
      checkpoint: `${tenant}/2026/03/01.checkpoint`,
    });
    assert.equal(dayPaths('platform', '2026-12-31').checkpoint, 'platform/2026/12/31.checkpoint');
    assert.equal(keyPath('0123456789abcdef'), 'platform/keys/0123456789abcdef.note');
  });

  test('keeps the text of an event as it is, one line however it is written', () => {
    const event = '{"text":"\u2028\u2029 ,\\"receivedAt\\":"}';
    const line = dayLine(event, Date.UTC(2026, 2, 1, 10), hex('ab'), 17);
    assert.equal(
      line,
      `{"event":${event},"receivedAt":"2026-03-01T10:00:00.000Z","rowHash":"${hex('ab')}","sequence":17}\n`,
    );
    assert.equal(line, dayLine(event, Date.UTC(2026, 2, 1, 10), hex('ab'), 17n));
  });

  test('has a manifest of golden bytes', () => {
    const bytes = manifestBytes(manifest);
    assert.equal(
      bytes.toString(),
      `{"bytes":700,"count":2,"day":"2026-03-01","firstPreviousHash":"${hex('0a')}","firstSequence":17,` +
        `"format":"steward-audit-day/1","incarnation":1,"lastRowHash":"${hex('0b')}","lastSequence":18,` +
        `"previous":{"day":"2026-02-28","manifestSha256":"${hex('0e')}"},"root":"${hex('0d')}","sha256":"${hex('0c')}",` +
        `"target":{"by":"link","kind":"file","tried":{"replace":false},"writeOnce":true},"tenant":"${tenant}"}\n`,
    );
    assert.equal(manifestSha256(bytes), '43d93ca491cf237cd1567239a7a4e7b6fb02479c5e8e779acf45eddc07c7a45a');
    assert.deepEqual(readManifest(bytes), manifest);
    assert.equal(
      platformLine(tenant, manifestSha256(bytes)),
      `{"manifest":"${manifestSha256(bytes)}","tenant":"${tenant}"}\n`,
    );
  });

  test('has no manifest of another form', () => {
    const text = manifestBytes(manifest).toString();
    for (const wrong of [
      '',
      text.trimEnd(),
      text.replace('\n', '\r\n'),
      text.replace('{"bytes":700,', '{"bytes": 700,'),
      text.replace('"count":2', '"count":2.5'),
      text.replace('day/1', 'day/2'),
      text.replace('{"bytes"', '{"a":1,"bytes"'),
      text.replace(hex('0c'), hex('0C')),
    ])
      assert.throws(() => readManifest(Buffer.from(wrong)));
  });
});
