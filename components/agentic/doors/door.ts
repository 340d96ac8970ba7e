import { count, flag, moment, nullable, oneOf, type Of, shape } from '@steward/contract';
import { type Row, statement, type Statement } from '@steward/sql';
import { z } from 'zod';
import type { AgenticPorts } from '../ports.ts';
import { selectPlace } from '../hosts/place.ts';
import { modes, type Protocol, protocols } from '../words.ts';

/** By which protocol a brand sells to agents, and how: of `agentic.door` named `d`. */
const door = shape('d', {
  protocol: oneOf(protocols),
  active: flag(),
  mode: oneOf(modes),
  /** Also of tests; a live door refuses what is not signed in any case. */
  refuseUnsigned: flag(),
  trustedOnly: flag(),
  /** Counts changes; 0: it was never configured. */
  version: count(),
  updatedAt: nullable(moment()),
});
export type Door = Of<typeof door>;

export const brandDoors = z.object({
  brandId: z.uuid(),
  doors: z.array(
    door.answer.extend({ url: z.string().meta({ description: 'Where agents find it while it is active.' }) }),
  ),
});
export type BrandDoors = Of<{ readonly answer: typeof brandDoors }>;

/** Until somebody configures it. */
const unconfigured = (protocol: Protocol): Door => ({
  protocol,
  active: false,
  mode: 'test',
  refuseUnsigned: false,
  trustedOnly: false,
  version: 0,
  updatedAt: null,
});

/** With the host at which it is found. */
export const selectDoors = (tenant: string, brandId: string): readonly [Statement, Statement] => [
  statement(
    `select ${door.columns} from agentic.door d where d.tenant_id = $1::uuid and d.brand_id = $2::uuid order by d.protocol`,
    [tenant, brandId],
  ),
  selectPlace(tenant, brandId),
];

export function doorsFrom(
  [rows = [], places = []]: readonly (readonly Row[])[],
  brandId: string,
  { addressOf }: Pick<AgenticPorts, 'addressOf'>,
): BrandDoors {
  const held = rows.map(door.read);
  return {
    brandId,
    doors: protocols.map((protocol) => ({
      ...(held.find((one) => one.protocol === protocol) ?? unconfigured(protocol)),
      url: addressOf(protocol, brandId, places[0]?.['host'] as string | undefined),
    })),
  };
}
