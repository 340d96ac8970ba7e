import { validator } from '@steward/contract';
import { dictionary } from '@steward/kernel';
import { z } from 'zod';
import type { PaymentHandler, PaymentOutcome } from './handler.ts';

const declined: PaymentOutcome = { kind: 'declined', reason: 'test_decline' };
const answers = dictionary<PaymentOutcome>({
  succeed: { kind: 'authorized' },
  decline: declined,
  require_action: { kind: 'requires_action', action: { kind: 'confirm', outcomes: ['succeed', 'decline'] } },
  time_out: { kind: 'unknown' },
});
const step = validator(z.strictObject({ outcome: z.enum(['succeed', 'decline']) }), 'body');

/**
 * For keys of tests: `succeed` is authorized, `decline` is declined, `require_action` asks the buyer to confirm with `{outcome}`, and
 * `time_out` does not answer; who looks it up later is told that it was declined, with the reason `timed_out`.
 */
export const testing: PaymentHandler = {
  name: 'test',
  modes: ['test'],
  methods: Object.keys(answers),
  local: true,
  refunds: 'handler',
  authorize: async ({ method }) => answers[method] ?? declined,
  lookUp: async ({ method }) =>
    method === 'time_out' ? { kind: 'declined', reason: 'timed_out' } : (answers[method] ?? declined),
  confirm: async (_question, given) => (step(given).outcome === 'succeed' ? { kind: 'authorized' } : declined),
};
