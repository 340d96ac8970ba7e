import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { addRule, archiveRule, listRules } from './rules.ts';

export const ruleTools: readonly Tool[] = [
  toolOf(addRule, {
    core: false,
    annotations: { destructiveHint: false },
    title: 'Add a bank rule',
    description:
      'Adds a rule that suggests an account for bank lines whose text, counterparty or reference contains some words. It ' +
      'affects only suggestions: nothing is posted.',
    shows: { schema: addRule.answer.pick({ ruleId: true }), of: ({ ruleId }) => ({ ruleId }) },
    say: ({ contains, account }, preview) => {
      const lines = `ines with ${JSON.stringify(contains)}`;
      return preview ? `Would suggest ${account} for l${lines}.` : `${account} is suggested for l${lines}.`;
    },
  }),
  toolOf(listRules, {
    core: false,
    title: 'List bank rules',
    description: 'Lists the bank rules in use, the oldest first.',
    shows: under('rules', listRules.answer),
    say: (rules) => `${counted(rules.length, 'rule')}.`,
  }),
  toolOf(archiveRule, {
    core: false,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Archive a bank rule',
    description:
      'Archives a bank rule, so that it suggests nothing any more. Lines that were already matched or posted stay as they ' +
      'are.',
    shows: { schema: archiveRule.answer.pick({ ruleId: true }), of: ({ ruleId }) => ({ ruleId }) },
    say: ({ contains, accountCode }, preview) => {
      const rule = `he rule that suggests ${accountCode} for lines with ${JSON.stringify(contains)}`;
      return preview ? `Would archive t${rule}.` : `T${rule} is archived.`;
    },
  }),
];
