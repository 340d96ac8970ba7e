import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { AccessDecision, askAgain, judgedBy } from './decision.ts';

const refusal = new Error('refused');

describe('what was decided about a caller', () => {
  let forgotten = 0;
  const enter = (): TenantContext & { readonly decision: AccessDecision } => {
    const decision = new AccessDecision({ forget: () => (forgotten += 1), renew: enter });
    return { tenant: 't', decision } as unknown as TenantContext & { readonly decision: AccessDecision };
  };
  const at = (accessVersion: bigint) => ({ accessVersion });

  test('holds while the oldest version that it was decided under is current', () => {
    const context = enter();
    assert.equal(context.decision.under, undefined);
    for (const version of [5n, 4n, 6n]) judgedBy(context, at(version));
    assert.equal(context.decision.under, 4n);
    judgedBy(context, undefined);
    assert.equal(context.decision.under, -1n, 'of whoever had no access it never holds');
  });

  test('is asked again of all that was asked, and of what is cached nothing is left', async () => {
    const context = enter();
    const asked: string[] = [];
    for (const name of ['first', 'second'])
      askAgain(context, (anew) => {
        judgedBy(anew, at(2n));
        asked.push(name);
      });
    judgedBy(context, at(1n));
    const before = forgotten;
    const again = context.decision.again();
    assert.equal(context.decision.under, -1n, 'whoever enters meanwhile is told to wait for it');
    await Promise.all([again, context.decision.again()]);
    assert.deepEqual([asked, context.decision.under, forgotten - before], [['first', 'second'], 2n, 1]);
  });

  test('is asked in a context that may enter itself, also where access changes once more meanwhile', async () => {
    const context = enter();
    let current = 1n;
    askAgain(context, async (anew) => {
      judgedBy(anew, at(current));
      current += current < 3n ? 1n : 0n;
      if (anew.decision?.under !== current) await anew.decision?.again();
    });
    await context.decision.again();
    assert.equal(context.decision.under, 3n);
  });

  test('never holds again after a refusal', async () => {
    const context = enter();
    askAgain(context, (anew) => judgedBy(anew, at(1n)));
    askAgain(context, () => {
      throw refusal;
    });
    await assert.rejects(context.decision.again(), refusal);
    assert.equal(context.decision.under, -1n);
    await assert.rejects(context.decision.again(), refusal);
  });
});
