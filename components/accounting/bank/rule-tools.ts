import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { addRule, archiveRule, listRules } from './rules.ts';

export const ruleTools: readonly Tool[] = [
  toolOf(addRule, {
    core: false,
    annotations: { destructiveHint: false },
    title: 'Add a bank rule',
    description: 'Lines whose text holds these words are suggested for this account from now on.',
    shows: { schema: addRule.answer.pick({ ruleId: true }), of: ({ ruleId }) => ({ ruleId }) },
    say: ({ contains, account }, preview) => {
      const lines = `ines with ${JSON.stringify(contains)}`;
      return preview ? `Would suggest ${account} for l${lines}.` : `L${lines} go to ${account}.`;
    },
  }),
  toolOf(listRules, {
    core: false,
    title: 'List bank rules',
    description: 'Lists the rules in use, the oldest first.',
    shows: under('rules', listRules.answer),
    say: (rules) => `${counted(rules.length, 'rule')}.`,
  }),
  toolOf(archiveRule, {
    core: false,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Archive a bank rule',
    description: 'Takes a rule out of use. What it suggested before stays as it was decided.',
    say: (_gone, preview) => (preview ? 'Would take the rule out of use.' : 'The rule is out of use.'),
  }),
];
