import { z } from 'zod';
import { filters } from './filter.ts';

const number = z.bigint().min(0n).max(999_999_999_999_999n).optional();

/** The filters as arguments of a field. */
export const graphFilter = z.strictObject(filters).partial().extend({ sequenceFrom: number, sequenceTo: number });

export const graphFilterWords = {
  members: {
    type: 'A type, or a pattern: * matches one dotted part, ** one or more.',
    principal: 'A principal anywhere in the principal chain, such as user:alice.',
    resource: 'A whole string in the payload, or the value of a dimensional tag.',
    receivedFrom: { type: 'DateTime' },
    receivedBefore: { type: 'DateTime' },
    occurredFrom: { type: 'DateTime' },
    occurredBefore: { type: 'DateTime' },
    sequenceFrom: { type: 'BigInt' },
    sequenceTo: { type: 'BigInt' },
  },
} as const;
