import { type Became, type Delivery, NeverApplies, type Projection } from '@steward/callbacks';
import { newId, Problem } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import { connectionOf, type CredentialsOf } from '../clearing/receivers.ts';
import { event } from '../events.ts';
import { recordW9 } from './record-w9.ts';
import type { SaidFiling, SaidW9, TaxBandits, TaxNews } from './taxbandits.ts';
import { openTin, readTin } from './tin.ts';

const mostTold = 50;

/** Asks how filings and W-9s stand, and writes that. */
export const taxProjection = (
  taxBandits: TaxBandits,
  credentialsOf: CredentialsOf,
  secret: Uint8Array,
): Projection<TaxNews> => ({
  fetch: async (context, delivery, signal) => {
    const connection = await connectionOf(context, delivery, credentialsOf);
    const news = await taxBandits.news(connection, delivery, signal);
    if (connection.live) return news;
    // A supplier is one and the same for both modes: nothing of it is what somebody tried out.
    if (news.w9 !== null) throw new NeverApplies('the W-9 is of the sandbox, and says nothing of a supplier');
    return { ...news, filings: news.filings.map((one) => ({ ...one, form: `${one.form} (sandbox)` })) };
  },
  apply: async (tx, delivery, { filings, w9 }) => {
    const became: Became[] = [];
    for (const one of filings) {
      const id = await sayFiling(tx, delivery, one);
      if (id !== undefined) became.push({ kind: 'tax_filing', id });
    }
    if (w9 !== null && (await sayW9(tx, w9, secret))) became.push({ kind: 'party', id: w9.partyId });
    return became.slice(0, mostTold);
  },
});

/** A later status never gives way to an earlier one. Answers the filing that is new or other than it was. */
async function sayFiling(
  tx: TenantTransaction,
  { connectionId, provider }: Delivery,
  said: SaidFiling,
): Promise<string | undefined> {
  if (connectionId === null) return undefined;
  const { tenant } = tx.context;
  const [party] = await tx.query<{ party_id: string }>(sql`
    select party_id from accounting.party where tenant_id = ${tenant}::uuid and party_id = ${said.partyId}::uuid`);
  const partyId = party?.party_id ?? null;
  const [row] = await tx.query<{ filing_id: string }>(sql`
    insert into accounting.tax_filing as f (tenant_id, filing_id, connection_id, provider, submission_id, record_id, form, tax_year, party_id, status,
      provider_status, status_at)
    values (${tenant}::uuid, ${newId()}::uuid, ${connectionId}::uuid, ${provider}, ${said.submissionId}, ${said.recordId}, ${said.form},
      ${said.taxYear}::int, ${partyId}::uuid, ${said.status}, ${said.providerStatus}, ${said.statusAt}::timestamptz)
    on conflict (tenant_id, connection_id, submission_id, record_id) do update set form = excluded.form,
      tax_year = coalesce(excluded.tax_year, f.tax_year), party_id = coalesce(excluded.party_id, f.party_id), status = excluded.status,
      provider_status = excluded.provider_status, status_at = excluded.status_at, changed_at = clock_timestamp()
    where excluded.status_at >= f.status_at
      and ((f.form, f.status, f.provider_status, f.status_at) <> (excluded.form, excluded.status, excluded.provider_status, excluded.status_at)
        or (excluded.tax_year is not null and f.tax_year is distinct from excluded.tax_year)
        or (excluded.party_id is not null and f.party_id is distinct from excluded.party_id))
    returning filing_id`);
  if (row === undefined) return undefined;
  tx.record(
    event('accounting.tax_filing.changed', {
      filing_id: row.filing_id,
      connection_id: connectionId,
      form: said.form,
      ...(said.taxYear === null ? {} : { tax_year: said.taxYear }),
      ...(partyId === null ? {} : { party_id: partyId }),
      status: said.status,
    }),
  );
  return row.filing_id;
}

interface Kept extends Record<string, unknown> {
  readonly status: string;
  readonly legal_name: string | null;
  readonly classification: string | null;
  readonly tin_kind: string | null;
  readonly tin_sealed: Buffer | null;
}

/** Records what a payee filled in; the same again changes nothing, on whatever day. */
async function sayW9(tx: TenantTransaction, said: SaidW9, secret: Uint8Array): Promise<boolean> {
  const { tenant } = tx.context;
  const [kept] = await tx.query<Kept>(sql`
    select status, legal_name, classification, tin_kind, tin_sealed from accounting.taxpayer
    where tenant_id = ${tenant}::uuid and party_id = ${said.partyId}::uuid for update`);
  const sealed = kept?.tin_sealed ?? null;
  const known = sealed === null ? undefined : openTin(secret, tenant, said.partyId, sealed);
  const digits = said.tin === null ? undefined : readTin(said.tin.number, said.tin.kind);
  const sameTin = digits === undefined || (digits === known && said.tin?.kind === kept?.tin_kind);
  const sameName = said.legalName === null || said.legalName.trim() === kept?.legal_name;
  const sameClass = said.classification === null || said.classification === kept?.classification;
  const sameForm = kept !== undefined && sameTin && sameName && sameClass;
  // The authority confirmed this very form.
  const status = sameForm && kept.status === 'tin_matched' && said.status === 'received' ? 'tin_matched' : said.status;
  if (sameForm && status === kept.status) return false;
  try {
    await recordW9(
      within(tx.context, tx),
      {
        partyId: said.partyId,
        status,
        ...(said.legalName === null ? {} : { legalName: said.legalName.trim() }),
        ...(said.classification === null ? {} : { classification: said.classification }),
        ...(said.tin === null || sameTin ? {} : { tin: said.tin }),
      },
      { secret },
    );
  } catch (error) {
    if (error instanceof Problem && (error.code === 'not_found' || error.code === 'not_matching'))
      throw new NeverApplies('the W-9 is of nobody who is a supplier here');
    throw error;
  }
  return true;
}
