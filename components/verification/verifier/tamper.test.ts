import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleKeyLines, readerOf } from '@steward/archive/testing';
import { tampers } from '../fixtures/tampers/all.ts';
import { foundOf, tampered } from '../fixtures/tampers/tamper.ts';
import { verifyArchive } from './steward-audit-verify.mjs';

const now = new Date('2026-03-06T12:00:00Z');

describe('what was done to an archive is found and named, and nothing beside it', () => {
  for (const tamper of tampers) {
    test(tamper.name, async () => {
      const verdict = await verifyArchive(readerOf(tampered(tamper)), { keys: exampleKeyLines.slice(0, 1), now });
      assert.deepEqual(
        verdict.findings.map(foundOf).toSorted(),
        tamper.found.toSorted(),
        JSON.stringify(verdict.findings),
      );
      assert.equal(verdict.ok, tamper.found.length === 0);
    });
  }
});
