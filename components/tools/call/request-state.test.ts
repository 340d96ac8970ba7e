import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail } from '@steward/kernel';
import { authenticate, tenantA, tenantB } from '../fixtures/callers.ts';
import { ProtocolError } from '../protocol/error.ts';
import { createRequestStates, type StateSubject } from './request-state.ts';

const key = new Uint8Array(32).fill(1);
let now = 1_000_000;
const states = createRequestStates(key, () => now);

const callerOf = (name: string): StateSubject['caller'] => {
  const caller = authenticate(`Bearer ${name}`, []);
  if (caller instanceof Promise) throw fail('unavailable');
  return caller;
};
const subject: StateSubject = {
  caller: callerOf('alice'),
  tenant: tenantA,
  tool: 'service_x',
  args: { b: [1], a: 'é' },
};
const refused = (error: unknown): boolean => error instanceof ProtocolError && error.code === -32602;

test('a state comes back as it was, in every process that shares the key', () => {
  const elsewhere = createRequestStates(key, () => now);
  for (const value of [{ step: 1, name: 'é' }, 'text', 7, null, [1, [2]]]) {
    assert.deepEqual(elsewhere.open({ ...subject, args: { a: 'é', b: [1] } }, states.seal(subject, value)), value);
  }
});

test('a state of another caller, tenant, tool or argument is refused', () => {
  const state = states.seal(subject, 'x');
  for (const other of [
    { caller: callerOf('bob') },
    { caller: { ...subject.caller, principal: { type: 'agent' as const, id: 'other' } } },
    { tenant: tenantB },
    { tenant: undefined },
    { tool: 'service_y' },
    { args: { b: [1], a: 'e' } },
    { args: { b: [1] } },
    { args: undefined },
  ]) {
    assert.throws(() => states.open({ ...subject, ...other }, state), refused);
  }
});

test('a state that was touched is refused, and so is one of another key', () => {
  const state = states.seal(subject, { step: 1 });
  const [payload = '', signature = ''] = state.split('.');
  const forged = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), v: { step: 2 } }),
  );
  for (const touched of [
    `${state}x`,
    `${state}-TAMPERED`,
    `${state}=`,
    `${state}.`,
    ` ${state}`,
    `${payload}.`,
    payload,
    '',
    '.',
    `${payload}x.${signature}`,
    `${forged.toString('base64url')}.${signature}`,
    `${payload}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
  ]) {
    assert.throws(() => states.open(subject, touched), refused, touched);
  }
  const stranger = createRequestStates(new Uint8Array(32).fill(2), () => now);
  assert.throws(() => states.open(subject, stranger.seal(subject, { step: 1 })), refused);
});

test('a state is good for a quarter of an hour', () => {
  const state = states.seal(subject, 'x');
  now += 15 * 60_000;
  assert.equal(states.open(subject, state), 'x');
  now += 1;
  assert.throws(() => states.open(subject, state), refused);
});
