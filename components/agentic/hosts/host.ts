import { id, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { type Row, statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { AgenticPorts } from '../ports.ts';
import { hostStandings } from '../words.ts';
import { challengeLabel, challengeOf } from './challenge.ts';

/** Where a brand says that it is found: of `agentic.host` named `h`. */
const held = shape('h', {
  id: id('h.host_id'),
  brandId: id(),
  host: text(),
  /** `lapsed`: another brand has proved since that the host is its own. */
  status: oneOf(
    hostStandings,
    `case when h.standing = 'verified' and not exists (select from agentic.holder_of_host(h.host) o where o.host_id = h.host_id)
      then 'lapsed' else h.standing end`,
  ),
  claimedAt: moment(),
  /** When it was last proved. */
  verifiedAt: nullable(moment()),
  releasedAt: nullable(moment()),
});

export const brandHost = {
  answer: held.answer.extend({
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .meta({ description: 'What must stand in DNS for the host to be verified. Leave it there.' }),
  }),
};
export type BrandHost = Of<typeof brandHost>;

export const byHost = { hostId: z.uuid().meta({ description: 'From service_list_brand_hosts.' }) };
export const noHost = (): Error =>
  fail('not_found', 'There is no such host: list the hosts of the brand for their ids.');

/** Hosts of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectHosts = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${held.columns} from agentic.host h where h.tenant_id = $1::uuid and ${rest}`, [tenant, ...values]);

export function hostFrom(row: Row | undefined, tenant: string, { secret }: Pick<AgenticPorts, 'secret'>): BrandHost {
  if (row === undefined) throw noHost();
  const one = held.read(row);
  const value = challengeOf(secret, { tenant, brandId: one.brandId, host: one.host });
  return { ...one, record: { type: 'TXT', name: `${challengeLabel}.${one.host}`, value } };
}

/** @throws Problem `not_found` (404) */
export async function holdHost(tx: TenantTransaction, hostId: string, ports: AgenticPorts): Promise<BrandHost> {
  const { tenant } = tx.context;
  const [row] = await tx.query(selectHosts('h.host_id = $2::uuid for no key update of h', tenant, hostId));
  return hostFrom(row, tenant, ports);
}
