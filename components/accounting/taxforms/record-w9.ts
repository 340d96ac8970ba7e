import { isDeepStrictEqual } from 'node:util';
import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { event } from '../events.ts';
import { partyIn } from '../parties/party.ts';
import { booksFail, invalidAt, refuseAt } from '../errors.ts';
import { writes } from '../operations.ts';
import { type Classification, classifications, taxpayer } from './taxpayer.ts';
import { readTin, sealTin, tinKinds } from './tin.ts';

/** What the operations on tax forms run with. */
export interface TaxFormPorts {
  /** Seals taxpayers' numbers. */
  readonly secret: Uint8Array;
}

/** Paid to them is not reported, but for lawyers and doctors (instructions for Forms 1099-MISC and 1099-NEC). */
const corporations = new Set<Classification>(['c_corporation', 's_corporation', 'llc_c', 'llc_s']);

/**
 * What a supplier's W-9 says; what is not given stays as it was. The taxpayer's number is sealed before it is stored and
 * never shown again but for its last four digits. An LLC counts as what it is taxed as. The same on the same day again changes
 * nothing.
 * @throws Problem `not_found` (404), `not_matching`, `invalid_tin` (422)
 */
export const recordW9 = operation(
  {
    ...writes,
    area: 'reports',
    name: 'service_set_w9_status',
    input: z.strictObject({
      partyId: z.uuid().meta({ description: 'From service_list_parties.' }),
      status: taxpayer.answer.shape.status.meta({
        description: 'tin_matched: the tax authority confirmed name and number.',
      }),
      legalName: z.string().trim().min(1).max(200).optional(),
      classification: z.enum(classifications).optional(),
      tin: z.strictObject({ kind: z.enum(tinKinds), number: z.string().max(20) }).optional(),
      eligible: z
        .boolean()
        .optional()
        .meta({ description: 'Whether payments to the supplier are reported on Form 1099.' }),
      box: taxpayer.answer.shape.box
        .optional()
        .meta({ description: 'Box of Form 1099, such as nec_1: Form 1099-NEC, box 1.' }),
    }),
    answer: taxpayer.answer.extend({ partyName: z.string() }),
    errors: { not_found: null, not_matching: 'partyId', invalid_tin: 'tin' },
  },
  async (scope, input, { secret }: TaxFormPorts) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const party = await partyIn(tx, input.partyId);
      if (!party.supplier)
        throw booksFail('not_matching', 'Only suppliers have a Form W-9: mark the party as a supplier first.');
      const digits = input.tin === undefined ? undefined : readTin(input.tin.number, input.tin.kind);
      if (input.tin !== undefined && digits === undefined)
        throw refuseAt(
          '/tin/number',
          'invalid_tin',
          `This is no ${input.tin.kind.toUpperCase()}: give nine digits, such as 123-45-6789 or 12-3456789.`,
        );
      if ((input.legalName?.length ?? 0) > 200) throw invalidAt('/legalName', 'Give up to 200 characters.');
      const box = input.box ?? null;
      const exempt =
        input.classification !== undefined &&
        corporations.has(input.classification) &&
        box !== 'misc_6' &&
        box !== 'misc_10';
      const eligible = input.eligible ?? (input.classification === undefined ? null : !exempt);
      const sealed = digits === undefined ? null : sealTin(secret, tenant, party.id, digits);
      const [before] = await tx.query(
        statement(
          `select ${taxpayer.columns} from accounting.taxpayer t where t.tenant_id = $1::uuid and t.party_id = $2::uuid for update`,
          [tenant, party.id],
        ),
      );
      const [row] = await tx.query(
        statement(
          `insert into accounting.taxpayer as t (tenant_id, party_id, status, status_on, legal_name, classification, tin_kind, tin_sealed,
           tin_last4, eligible, box)
         values ($1::uuid, $2::uuid, $3, (clock_timestamp() at time zone 'UTC')::date, $4, $5, $6, $7, $8,
           coalesce($9::boolean, true), coalesce($10, 'nec_1'))
         on conflict (tenant_id, party_id) do update set status = excluded.status, status_on = excluded.status_on,
           legal_name = coalesce(excluded.legal_name, t.legal_name),
           classification = coalesce(excluded.classification, t.classification),
           tin_kind = coalesce(excluded.tin_kind, t.tin_kind), tin_sealed = coalesce(excluded.tin_sealed, t.tin_sealed),
           tin_last4 = coalesce(excluded.tin_last4, t.tin_last4), eligible = coalesce($9::boolean, t.eligible),
           box = coalesce($10, t.box)
         returning ${taxpayer.columns}`,
          [
            tenant,
            party.id,
            input.status,
            input.legalName,
            input.classification,
            input.tin?.kind,
            sealed,
            digits?.slice(-4),
            eligible,
            box,
          ],
        ),
      );
      const recorded = { ...taxpayer.read(row ?? {}), partyName: party.name };
      if (
        digits === undefined &&
        before !== undefined &&
        isDeepStrictEqual({ ...taxpayer.read(before), partyName: party.name }, recorded)
      )
        return asItWas(recorded);
      tx.record(
        event('accounting.w9.recorded', {
          party_id: party.id,
          status: input.status,
          eligible: recorded.eligible,
          box: recorded.box,
          tin_changed: digits !== undefined,
          content_sha256: await contentOf(tx, 'taxpayer', party.id),
        }),
      );
      return recorded;
    }),
);
