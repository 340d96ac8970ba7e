import { fail } from '@steward/kernel';
import { spell, type Spelling } from '../envelope/faults.ts';
import type { Registry } from '../grammars/registry.ts';
import type { Filter } from './filter.ts';

export type RequireAnswerable = (filter: Filter, spelling: Spelling) => void;

const spans = [
  ['receivedFrom', 'receivedBefore'],
  ['occurredFrom', 'occurredBefore'],
] as const;

/** Refuses filters that no event can pass. @throws Problem `invalid_request` (400) */
export const requireAnswerable =
  ({ grammars }: Pick<Registry, 'grammars'>): RequireAnswerable =>
  (filter, spelling) => {
    const refuse = (name: keyof Filter, code: string, detail: string): never => {
      const pointer = `${spelling === 'snake' ? '?' : '/'}${spell(name, spelling)}`;
      throw fail('invalid_request', detail, { errors: [{ pointer, code, detail }] });
    };
    const { grammar, sequenceFrom = 0n, sequenceTo } = filter;
    if (grammar !== undefined && !grammars.some(({ name }) => name === grammar))
      refuse(
        'grammar',
        'unknown_grammar',
        `There is no grammar ${grammar}: GET /api/audit/grammars lists the grammars.`,
      );
    for (const [begin, end] of spans) {
      const [from, before] = [filter[begin], filter[end]];
      if (from !== undefined && before !== undefined && before < from)
        refuse(end, 'invalid_value', `The span ends at ${before}, before it begins at ${from}: swap the two.`);
    }
    // One below the first is where paging by `sequenceTo` ends.
    if (sequenceTo !== undefined && sequenceTo + 1n < sequenceFrom)
      refuse(
        'sequenceTo',
        'invalid_value',
        `The span ends at ${sequenceTo}, before it begins at ${sequenceFrom}: swap the two.`,
      );
  };
