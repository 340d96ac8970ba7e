import { operation } from '@steward/access';
import { type Integration, type Integrations, integration, type Makers, readIntegration } from '@steward/identity';
import type { PrincipalRef } from '@steward/kernel';
import type { TenantScope } from '@steward/sql';
import { z } from 'zod';
import { appointees } from '../operations.ts';
import { ownIntegrations } from './own.ts';

/** What the parts of the application have besides. */
export interface IntegrationPorts {
  readonly integrations: readonly Integrations[];
}

/** What gives data or entry to somebody outside, of every kind, with who made it and whether they left. */
export const listIntegrations = operation(
  {
    ...appointees,
    input: z.strictObject({
      member: z
        .string()
        .max(310)
        .regex(/^(?:user|service):/, 'Give the type and the id, such as user:alice')
        .optional()
        .meta({
          description:
            'Those that this member made, or was shown a secret of: the type and the id, such as `user:alice`.',
        }),
    }),
    answer: z.object({ items: z.array(integration) }),
  },
  async ({ context, readAll }, { member }, ports: IntegrationPorts) => {
    const among = member === undefined ? undefined : { clients: [], members: [principalOf(member)] };
    const rows = await readAll(kindsOf(ports).map(({ select }) => select(context.tenant, among)));
    return { items: rows.flat().map(readIntegration) };
  },
);

const principalOf = (member: string): PrincipalRef => ({
  type: member.startsWith('user:') ? 'user' : 'service',
  id: member.slice(member.indexOf(':') + 1),
});

export const kindsOf = ({ integrations }: IntegrationPorts): readonly Integrations[] => [
  ...integrations,
  ...ownIntegrations,
];

/** Of some kinds, what was made by somebody or through some client, or whose secrets they were shown. */
export async function madeAmong(
  read: TenantScope['read'],
  tenant: string,
  kinds: readonly Integrations[],
  among: Makers,
): Promise<Integration[]> {
  const found: Integration[] = [];
  for (const { select } of kinds) found.push(...(await read(select(tenant, among))).map(readIntegration));
  return found;
}
