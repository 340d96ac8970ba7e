import { described } from '../grammars/described.ts';

const id = { type: 'string', format: 'uuid' } as const;
const reason = { type: 'string', minLength: 1, maxLength: 500 } as const;

/** What is recorded of erasures, holds and expiry. None names a subject. */
export const personalEvents = {
  'audit.subject.erased': described('The keys of a subject were destroyed, and with them its personal data', {
    key_ids: { type: 'array', items: id, minItems: 1 },
    reason,
  }),
  'audit.hold.placed': described('A legal hold was placed: nothing is erased or expires', { hold_id: id, reason }),
  'audit.hold.released': described('The legal hold was released', { hold_id: id }),
  'audit.days.expired': described('The archived rows of days whose time was over were removed', {
    from: { type: 'string', format: 'date' },
    through: { type: 'string', format: 'date' },
    days: { type: 'integer', minimum: 1 },
  }),
};
