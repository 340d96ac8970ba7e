import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import type { BusEvent } from '../consumer.ts';
import { sequenceOf } from '../outbox/event.ts';
import { cloudEventOf } from './cloud-event.ts';

const event: BusEvent = {
  id: newId(),
  tenant: newId(),
  type: 'test.thing.happened',
  source: 'test',
  subject: 'thing-1',
  data: { number: 1 },
  correlationId: 'workflow-1',
  causationId: newId(),
  occurredAt: '2026-11-21T18:00:00.000Z',
  sequence: sequenceOf(42n),
};

// CloudEvents 1.0.2 §3: what every attribute must be; JSON format §2.2: members other than these are not attributes.
const required = ['id', 'source', 'specversion', 'type'];
const rules: Readonly<Record<string, (value: string) => boolean>> = {
  specversion: (value) => value === '1.0',
  source: (value) => value !== '' && URL.canParse(value, 'https://example.com/'),
  time: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value),
  datacontenttype: (value) => /^[\w.+-]+\/[\w.+-]+/.test(value),
};

function faults(document: Readonly<Record<string, unknown>>): string[] {
  const { data: _data, ...attributes } = document;
  return [
    ...required.filter((name) => !(name in attributes)).map((name) => `${name} is missing`),
    ...Object.entries(attributes).flatMap(([name, value]) => [
      ...(/^[a-z0-9]{1,20}$/.test(name) ? [] : [`${name} is no attribute name`]),
      // Each attribute used here is of a type that JSON has as a non-empty string without control characters.
      ...(typeof value === 'string' && value !== '' && !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(value)
        ? []
        : [`${name} is no String`]),
      ...((rules[name]?.(String(value)) ?? true) ? [] : [`${name} is malformed`]),
    ]),
  ];
}

describe('the envelope', () => {
  test('is a CloudEvent, with everything and with the least', () => {
    const { subject: _s, correlationId: _c, causationId: _a, ...least } = event;
    for (const one of [event, least]) assert.deepEqual(faults({ ...cloudEventOf(one) }), []);
    assert.deepEqual(Object.keys(cloudEventOf(least)).toSorted(), [
      'data',
      'datacontenttype',
      'id',
      'partitionkey',
      'sequence',
      'source',
      'specversion',
      'time',
      'type',
    ]);
    assert.equal(cloudEventOf(event).partitionkey, event.tenant);
  });

  test('the rules see what is wrong', () => {
    const { id: _id, ...without } = cloudEventOf(event);
    assert.deepEqual(faults({ ...without }), ['id is missing']);
    assert.deepEqual(faults({ ...cloudEventOf(event), correlationId: 'x' }), ['correlationId is no attribute name']);
    assert.deepEqual(faults({ ...cloudEventOf(event), time: 'today' }), ['time is malformed']);
    assert.deepEqual(faults({ ...cloudEventOf(event), subject: '' }), ['subject is no String']);
  });

  test('sequences compare as strings in the order of the outbox, up to the last position', () => {
    const positions = [1n, 9n, 10n, 99n, 2n ** 53n, 2n ** 63n - 1n];
    const sequences = positions.map(sequenceOf);
    assert.deepEqual(sequences.toSorted(), sequences);
    assert.equal(new Set(sequences.map(({ length }) => length)).size, 1);
  });
});
