import type { StoredEvent } from '../appending/stored.ts';
import type { Principal } from '../envelope/envelope.ts';
import type { Receipt } from '../receipts/receipt.ts';
import { type Names, namesAmong } from './names.ts';

/** An event in REST's spelling; what the envelope leaves out is left out here. */
export function presentEvent({ envelope, ...stored }: StoredEvent, names: Names, receipt?: Receipt) {
  return {
    id: envelope.id,
    tenant_id: envelope.tenantId,
    type: envelope.type,
    event_version: envelope.eventVersion,
    grammar: envelope.grammar,
    grammar_digest: envelope.grammarDigest,
    source: envelope.source,
    source_system: envelope.sourceSystem,
    payload: envelope.payload,
    dimensional_tags: envelope.dimensionalTags,
    principal_chain: envelope.principalChain.map(presentPrincipal),
    ingested_by: presentPrincipal(envelope.ingestedBy),
    display_names: namesAmong(names, principalsOf({ envelope })),
    occurred_at: envelope.occurredAt,
    received_at: stored.receivedAt,
    causal_id: envelope.causalId,
    correlation_id: envelope.correlationId,
    idempotency_key: envelope.idempotencyKey,
    source_event_id: envelope.sourceEventId,
    sequence: stored.sequence,
    row_hash: stored.rowHash,
    prev_hash: stored.prevHash,
    ...(receipt === undefined
      ? {}
      : { receipt: { format: receipt.format, key_id: receipt.keyId, signature: receipt.signature } }),
  };
}

/** Everybody whom an event names. */
export const principalsOf = ({ envelope }: Pick<StoredEvent, 'envelope'>): Principal[] => [
  ...envelope.principalChain,
  envelope.ingestedBy,
];

export const presentPrincipal = ({ principalType, principalId }: Principal) => ({
  principal_type: principalType,
  principal_id: principalId,
});
