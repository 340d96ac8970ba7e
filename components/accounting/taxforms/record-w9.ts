import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { partyIn } from '../parties/party.ts';
import { booksFail } from '../errors.ts';
import { keepBooks } from '../permissions.ts';
import type { Box } from './box.ts';
import { type Classification, presentTaxpayer, type Taxpayer, type W9Status } from './taxpayer.ts';
import { readTin, sealTin, type TinKind } from './tin.ts';

export interface W9Input {
  readonly partyId: string;
  readonly status: W9Status;
  readonly legalName?: string | undefined;
  readonly classification?: Classification | undefined;
  readonly tin?: { readonly kind: TinKind; readonly number: string } | undefined;
  readonly eligible?: boolean | undefined;
  readonly box?: Box | undefined;
}

/** Paid to them is not reported, but for lawyers and doctors (instructions for Forms 1099-MISC and 1099-NEC). */
const corporations = new Set<Classification>(['c_corporation', 's_corporation', 'llc_c', 'llc_s']);

/**
 * What a supplier's W-9 says; what is not given stays as it was. The taxpayer's number is sealed before it is stored and
 * never shown again but for its last four digits. An LLC counts as what it is taxed as.
 * @throws Problem `not_found` (404), `not_matching`, `invalid_tin` (422)
 */
export async function recordW9(context: TenantContext, secret: Uint8Array, input: W9Input): Promise<Taxpayer> {
  return context.require(keepBooks).write(async (tx) => {
    const party = await partyIn(tx, input.partyId);
    if (!party.supplier) throw booksFail('not_matching', 'A W-9 is a supplier’s: mark the party as one first.');
    const digits = input.tin === undefined ? undefined : readTin(input.tin.number, input.tin.kind);
    if (input.tin !== undefined && digits === undefined)
      throw booksFail(
        'invalid_tin',
        `This is no ${input.tin.kind.toUpperCase()}: nine digits, as 123-45-6789 or 12-3456789.`,
      );
    if ((input.legalName?.length ?? 0) > 200) throw fail('invalid_request', 'A legal name has up to 200 characters.');
    const box = input.box ?? null;
    const exempt =
      input.classification !== undefined &&
      corporations.has(input.classification) &&
      box !== 'misc_6' &&
      box !== 'misc_10';
    const eligible = input.eligible ?? (input.classification === undefined ? null : !exempt);
    const sealed = digits === undefined ? null : sealTin(secret, context.tenant, party.id, digits);
    const [row] = await tx.query(sql`
      insert into accounting.taxpayer as t (tenant_id, party_id, status, status_on, legal_name, classification, tin_kind, tin_sealed,
        tin_last4, eligible, box)
      values (${context.tenant}::uuid, ${party.id}::uuid, ${input.status}, (clock_timestamp() at time zone 'UTC')::date,
        ${input.legalName ?? null}, ${input.classification ?? null}, ${input.tin?.kind ?? null}, ${sealed}, ${digits?.slice(-4) ?? null},
        coalesce(${eligible}::boolean, true), coalesce(${box}, 'nec_1'))
      on conflict (tenant_id, party_id) do update set status = excluded.status, status_on = excluded.status_on,
        legal_name = coalesce(excluded.legal_name, t.legal_name),
        classification = coalesce(excluded.classification, t.classification),
        tin_kind = coalesce(excluded.tin_kind, t.tin_kind), tin_sealed = coalesce(excluded.tin_sealed, t.tin_sealed),
        tin_last4 = coalesce(excluded.tin_last4, t.tin_last4), eligible = coalesce(${eligible}::boolean, t.eligible),
        box = coalesce(${box}, t.box)
      returning party_id, status, status_on::text as status_on, legal_name, classification, tin_kind, tin_last4, eligible, box`);
    const taxpayer = presentTaxpayer(row ?? {});
    tx.record(
      event('accounting.w9.recorded', {
        party_id: party.id,
        status: input.status,
        eligible: taxpayer.eligible,
        box: taxpayer.box,
        tin_changed: digits !== undefined,
      }),
    );
    return taxpayer;
  });
}
