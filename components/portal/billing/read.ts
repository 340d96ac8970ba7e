import { operation } from '@steward/access';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { people, reads } from '../operations.ts';
import { presentBilling, selectBilling, type BillingRow } from './billing.ts';

/** Tier, status, end of trial and entitlements at this moment; what is kept of each quota, and what the tier lets keep. */
export const readBilling = operation(
  {
    ...reads,
    ...people,
    input: z.strictObject({}),
    answer: z.object({
      tier: z.string(),
      status: z.string(),
      trialEndsAt: z.string().nullable(),
      liveChargesRequired: z.literal(false),
      entitlements: z.array(z.string()),
      quotas: z.array(z.object({ quota: z.string(), used: z.number(), limit: z.number() })),
    }),
  },
  async (scope, _input, { clock, config, usage }: Pick<PortalPorts, 'clock' | 'config' | 'usage'>) => {
    const [row] = await scope.read<BillingRow>(selectBilling);
    const { tier, status, trialEndsAt, entitlements } = presentBilling(row, clock(), config.plans);
    return {
      tier,
      status,
      trialEndsAt: trialEndsAt === 0 ? null : new Date(trialEndsAt).toISOString(),
      liveChargesRequired: false as const,
      entitlements: [...entitlements].toSorted(),
      quotas: await usage(scope.context.tenant),
    };
  },
);
