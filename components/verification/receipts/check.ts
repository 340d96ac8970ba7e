import { createPublicKey, verify } from 'node:crypto';
import { isId } from '@steward/kernel';
import type pg from 'pg';
import { z } from 'zod';
import type { Envelope } from '@steward/audit';
import { readKeyNote, keyIdOf, publicKeyOf } from '@steward/archive/format';
import { eventHash, genesis, rowHash, receiptBytes } from '@steward/audit/chain';
import { openReader } from '../parts/reader.ts';
import { contentFaults } from './content.ts';

export interface CheckedReceipt {
  readonly ok: boolean;
  readonly tenant: string;
  readonly sequence: number;
  readonly receivedAt: string;
  readonly keyId: string;
  /** What is wrong, in words. */
  readonly findings: readonly string[];
  /** Who named the keys that were trusted. */
  readonly trust: 'option' | 'database';
}

export interface ReceiptWish {
  /** The owner's login, or any that may act as the verifier role. */
  readonly ownerUrl: string;
  /** A receipt, or an event with its receipt, as REST or GraphQL answered it. */
  readonly document: string;
  /** Of a document that does not name it, as GraphQL's. */
  readonly tenant?: string | undefined;
  /** Public keys to trust, `steward/audit+…`; those that the database lists where none is given. */
  readonly keys?: readonly string[] | undefined;
}

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const sequence = z.union([z.int().min(1), z.string().regex(/^[1-9]\d{0,15}$/)]).transform(Number);
const form = z.object({
  id: z.string().refine(isId),
  tenantId: z.string().refine(isId),
  sequence,
  rowHash: hex,
  receivedAt: z.iso.datetime(),
  receipt: z.object({
    format: z.literal('audit-receipt/v1'),
    keyId: z.string().regex(/^[0-9a-f]{16}$/),
    signature: z.string().regex(/^[\w-]{86}$/),
  }),
});

/**
 * Checks a receipt: that a trusted key signed it, and that the chain in the database agrees with it today.
 * @throws RangeError where the document is no event with a receipt; Error where the database cannot be read
 */
export async function checkReceipt({ ownerUrl, document, tenant, keys }: ReceiptWish): Promise<CheckedReceipt> {
  const { told, said } = readDocument(document, tenant);
  const { receipt, ...place } = told;
  const client = await openReader({ ownerUrl });
  try {
    const findings = [...(await signatureFaults(client, told, keys)), ...(await chainFaults(client, place, said))];
    return {
      ok: findings.length === 0,
      tenant: place.tenantId,
      sequence: place.sequence,
      receivedAt: place.receivedAt,
      keyId: receipt.keyId,
      findings,
      trust: keys === undefined ? 'database' : 'option',
    };
  } finally {
    await client.end();
  }
}

type SourceFinding = z.infer<typeof form>;
type Json = Readonly<Record<string, unknown>>;

function readDocument(
  document: string,
  tenant: string | undefined,
): { readonly told: SourceFinding; readonly said: Json } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(document);
  } catch {
    throw new RangeError('This is no JSON: give the event with its receipt, as it was answered.');
  }
  const camel = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, one]) => [
            name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
            one,
          ]),
        )
      : value;
  const outer = (isSignedEvent(parsed) ? flat(parsed) : camel(parsed)) as Record<string, unknown> | null;
  const read = form.safeParse({ tenantId: tenant, ...outer, receipt: camel(outer?.['receipt']) });
  if (read.success) return { told: read.data, said: outer ?? {} };
  const [first] = read.error.issues;
  throw new RangeError(
    `This is no event with a receipt (${first?.path.join('.') ?? ''}): give what \`GET …/receipt\` or \`Prefer: receipt\` answered, whole; of GraphQL the ` +
      'fields id, sequence, rowHash, receivedAt and receipt { format keyId signature }, and --tenant.',
  );
}

interface Signed {
  readonly tenant: string;
  readonly event: string;
}

const isSignedEvent = (value: unknown): value is Signed =>
  typeof value === 'object' &&
  value !== null &&
  'format' in value &&
  value.format === 'steward-audit-receipt/1' &&
  'event' in value &&
  typeof value.event === 'string';

/** What `GET …/receipt` answered, spelled as an event with its receipt. */
function flat({ tenant, event, ...place }: Signed): Json {
  try {
    return { ...(JSON.parse(event) as Json), ...place, tenantId: tenant };
  } catch {
    return { ...place, tenantId: tenant };
  }
}

async function signatureFaults(
  client: pg.Client,
  told: SourceFinding,
  given: readonly string[] | undefined,
): Promise<string[]> {
  const { rows } = await client.query<{ key: string; note: string }>(
    'select verifier_key as key, note from audit.signing_key order by number',
  );
  const trusted =
    given === undefined
      ? rows.map(({ key }) => key)
      : follow(
          given,
          rows.map(({ note }) => note),
        );
  const day = told.receivedAt.slice(0, 10);
  const notes = rows.map(({ note }) => readKeyNote(note));
  const line = trusted.find((key) => keyIdOf(key) === told.receipt.keyId);
  if (line === undefined) return [`it is signed by key ${told.receipt.keyId}, and no trusted key leads there`];
  const { from, previous } = notes.find(({ key }) => key === line) ?? {};
  const through = notes.find((note) => note.previous === line)?.through;
  if ((previous !== undefined && from !== undefined && day < from) || (through !== undefined && day > through))
    return [`key ${told.receipt.keyId} signs nothing of ${day}: its time is ${from ?? 'ever'} to ${through ?? 'now'}`];
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKeyOf(line) } });
  return verify(null, receiptBytes(told), key, Buffer.from(told.receipt.signature, 'base64url'))
    ? []
    : ['its signature is false: what it says was changed'];
}

/** All keys that notes lead to from those that are given. */
function follow(given: readonly string[], notes: readonly string[]): string[] {
  const trusted = new Set(given);
  const links = notes
    .map(readKeyNote)
    .flatMap(({ key, previous }) => (previous === undefined ? [] : [[key, previous] as const]));
  for (let size = -1; size !== trusted.size;) {
    size = trusted.size;
    for (const [key, previous] of links) if (trusted.has(key) || trusted.has(previous)) trusted.add(key).add(previous);
  }
  return [...trusted];
}

async function chainFaults(client: pg.Client, told: Omit<SourceFinding, 'receipt'>, said: Json): Promise<string[]> {
  const { rows } = await client.query<{
    id: string;
    event: string;
    row_hash: Buffer;
    ms: string;
    previous: Buffer | null;
    head: string | null;
  }>(
    `select e.id, e.event, e.row_hash, (extract(epoch from e.received_at) * 1000)::bigint::text as ms,
       (select p.row_hash from audit.event p where p.tenant_id = e.tenant_id and p.sequence = e.sequence - 1) as previous
     from audit.event e where e.tenant_id = $1 and e.sequence = $2`,
    [told.tenantId, told.sequence],
  );
  const [row] = rows;
  if (row === undefined) {
    const { rows: heads } = await client.query<{ sequence: string }>(
      'select sequence::text as sequence from audit.head where tenant_id = $1',
      [told.tenantId],
    );
    return [
      heads[0] === undefined
        ? 'the tenant has no chain: it was removed'
        : `the row is not there: the chain ends at sequence ${heads[0].sequence}`,
    ];
  }
  const previous = row.previous ?? genesis(told.tenantId);
  const made = rowHash(previous, BigInt(told.sequence), BigInt(row.ms), Buffer.from(eventHash(row.event), 'hex'));
  return [
    ...(row.id === told.id ? [] : [`another event stands at sequence ${told.sequence}: ${row.id}`]),
    ...(Number(row.ms) === Date.parse(told.receivedAt) ? [] : ['the row was received at another time']),
    ...(row.row_hash.toString('hex') === told.rowHash ? [] : ['the row hash is another one: the chain was rewritten']),
    ...(made.equals(row.row_hash)
      ? contentFaults(said, JSON.parse(row.event) as Envelope)
      : ['the row hash is not that of the event that is stored']),
    ...([undefined, null, previous.toString('hex')].includes(said['prevHash'] as string)
      ? []
      : ['another row stood before it when it was received']),
  ];
}
