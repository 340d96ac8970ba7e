import { csvRow } from '@steward/contract';
import { timestamp, dictionary } from '@steward/kernel';
import { searchName } from '../appending/entry.ts';
import { canonical } from '../chain/canonical.ts';
import type { Envelope } from '../envelope/envelope.ts';
import { type Names, namesAmong } from '../events/names.ts';
import type { EventRow } from '../events/row.ts';

type Cell = (envelope: Envelope, row: EventRow, genesis: Buffer, names: Names) => string | undefined;

/** In this order. Principals are `{type}:{id}`, the first acted first; payload and tags are JSON text. */
const columns = dictionary<Cell>({
  sequence: (_envelope, { sequence }) => String(sequence),
  received_at: (_envelope, { received_ms }) => timestamp(Number(received_ms)),
  occurred_at: ({ occurredAt }) => occurredAt,
  id: ({ id }) => id,
  tenant_id: ({ tenantId }) => tenantId,
  type: ({ type }) => type,
  event_version: ({ eventVersion }) => eventVersion,
  grammar: ({ grammar }) => grammar,
  grammar_digest: ({ grammarDigest }) => grammarDigest,
  source: ({ source }) => source,
  source_system: ({ sourceSystem }) => sourceSystem,
  source_event_id: ({ sourceEventId }) => sourceEventId,
  principals: ({ principalChain }) => principalChain.map(searchName).join(' '),
  ingested_by: ({ ingestedBy }) => searchName(ingestedBy),
  display_names: ({ principalChain, ingestedBy }, _row, _genesis, names) =>
    Object.values(namesAmong(names, [...principalChain, ingestedBy]) ?? {}).join('; '),
  causal_id: ({ causalId }) => causalId,
  correlation_id: ({ correlationId }) => correlationId,
  idempotency_key: ({ idempotencyKey }) => idempotencyKey,
  dimensional_tags: ({ dimensionalTags }) => (dimensionalTags === undefined ? undefined : canonical(dimensionalTags)),
  payload: ({ payload }) => canonical(payload),
  prev_hash: (_envelope, { prev_hash }, genesis) => (prev_hash ?? genesis).toString('hex'),
  row_hash: (_envelope, { row_hash }) => row_hash.toString('hex'),
});

/** RFC 4180, with CRLF. */
export const csvHeader = csvRow(Object.keys(columns));

/** `names`: what those whom the rows name are called, looked up while the page was read. */
export const csvLine = (row: EventRow, envelope: Envelope, genesis: Buffer, names: Names): string =>
  csvRow(Object.values(columns).map((cell) => cell(envelope, row, genesis, names)));
