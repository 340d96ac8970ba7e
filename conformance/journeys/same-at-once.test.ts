import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, inTurns, type Json } from '@steward/conformance/world';
import { startDns } from '@steward/testing';
import { commands } from '../binding/commands.ts';
import { openTenant } from '../binding/tenant.ts';

// Agents send the same call again before the first is answered. Whatever wins, nobody meets a failure of ours.

const atOnce = [1, 2, 3];
/** A third of the commands, all of them in long runs. */
const some = inTurns(process.env['LONG_RUNS'] !== undefined);

test('every command, called by three at once with the same arguments, is carried out or refused with a reason', async () => {
  await using dns = await startDns();
  await using world = await createWorld({ BRAND_HOST_DNS: dns.address });
  const { offered, call, read, approve, act, things } = await openTenant(world, dns);
  assert.deepEqual([...offered.keys()].toSorted(), Object.keys(commands).toSorted(), 'each command is called here');
  const made = await things();
  const failed: string[] = [];
  const note = (name: string, answer: unknown): void => {
    const text = JSON.stringify(answer);
    if (/"(?:internal_error|outcome_unknown)"|-32603/.test(text)) failed.push(`${name}: ${text.slice(0, 300)}`);
  };
  for (const [name, argumentsOf] of some(Object.entries(commands))) {
    const args = await argumentsOf(act, made);
    const answers = await Promise.all(atOnce.map(async () => call(name, args)));
    for (const answer of answers) note(name, answer);
    const ids = new Set(answers.flatMap(({ pending_action_id: id }: Json) => (id === undefined ? [] : [String(id)])));
    const approved = await Promise.all(
      [...ids].flatMap((id) => [id, id]).map(async (id) => approve(id, (await read(id))['previewHash'])),
    );
    for (const { status, body } of approved) {
      note(name, body);
      // What another holds for long is left alone, with nothing done.
      assert.ok(status < 500 || String(body['code']) === 'unavailable', `${name}: ${status} ${JSON.stringify(body)}`);
    }
  }
  assert.deepEqual(failed, []);
});
