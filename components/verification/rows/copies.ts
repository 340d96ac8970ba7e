import { searchName } from '@steward/audit/chain';
import type { Envelope } from '@steward/audit';
import type { EventRow } from './tuple.ts';

/** Names of the search columns that differ from the text. */
export function differingCopies(row: EventRow, envelope: Envelope): string[] {
  const pairs: [column: string, stored: unknown, told: unknown][] = [
    ['id', row.id, envelope.id],
    ['type', row.type, envelope.type],
    ['grammar', row.grammar, envelope.grammar],
    ['causal_id', row.causalId, envelope.causalId ?? null],
    ['correlation_id', row.correlationId, envelope.correlationId ?? null],
    ['occurred_at', Number(row.occurredUs), Date.parse(envelope.occurredAt) * 1000],
    ['principals', row.principals.join('\n'), principalsOf(envelope)],
  ];
  return pairs.filter(([, stored, told]) => stored !== told).map(([column]) => column);
}

const principalsOf = ({ principalChain }: Envelope): unknown =>
  Array.isArray(principalChain) ? principalChain.map(searchName).join('\n') : undefined;
