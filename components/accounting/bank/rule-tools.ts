import { counted } from '@steward/kernel';
import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { addRule, archiveRule, listRules } from './rules.ts';

const ground = {
  pillar: 'accounting',
  area: 'bank',
  core: false,
  surfaces: ['public', 'internal'],
  personas: [],
} as const;
const keep = {
  ...ground,
  kind: 'command',
  tier: 'write',
  requires: keepBooks,
} as const;

export const ruleTools: readonly Tool[] = [
  tool({
    ...keep,
    annotations: { destructiveHint: false },
    name: 'service_add_bank_rule',
    title: 'Add a bank rule',
    description: 'Lines whose text holds these words are suggested for this account from now on.',
    input: z.strictObject({
      contains: z.string().trim().min(2).max(200),
      direction: z.enum(['in', 'out', 'any']).default('any'),
      account: z.string().min(1).max(40),
    }),
    output: z.object({ rule_id: z.string() }),
    run: async (call, input) => {
      const { id } = await addRule(call.context, input);
      const lines = `ines with ${JSON.stringify(input.contains)}`;
      return {
        summary: call.preview ? `Would suggest ${input.account} for l${lines}.` : `L${lines} go to ${input.account}.`,
        data: { rule_id: id },
      };
    },
  }),
  tool({
    ...ground,
    kind: 'query',
    tier: 'read',
    annotations: { idempotentHint: true },
    requires: readBooks,
    name: 'service_list_bank_rules',
    title: 'List bank rules',
    description: 'Lists the rules in use, the oldest first.',
    input: z.strictObject({}),
    output: z.object({
      rules: z.array(
        z.object({ rule_id: z.string(), contains: z.string(), direction: z.string(), account_code: z.string() }),
      ),
    }),
    run: async (call) => {
      const rules = await listRules(call.context);
      return {
        summary: `${counted(rules.length, 'rule')}.`,
        data: {
          rules: rules.map(({ id, accountCode, ...rest }) => ({ rule_id: id, ...rest, account_code: accountCode })),
        },
      };
    },
  }),
  tool({
    ...keep,
    annotations: { destructiveHint: true, idempotentHint: true },
    name: 'service_archive_bank_rule',
    title: 'Archive a bank rule',
    description: 'Takes a rule out of use. What it suggested before stays as it was decided.',
    input: z.strictObject({ rule_id: z.uuid() }),
    output: z.object({ rule_id: z.string() }),
    run: async (call, { rule_id }) => {
      await archiveRule(call.context, rule_id);
      return {
        summary: call.preview ? 'Would take the rule out of use.' : 'The rule is out of use.',
        data: { rule_id },
      };
    },
  }),
];
