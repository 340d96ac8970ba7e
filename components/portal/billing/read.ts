import { operation } from '@steward/access';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { people, reads } from '../operations.ts';
import { offered } from './plans.ts';
import { presentBilling, selectBilling, type BillingRow } from './billing.ts';

/** Tier, status, end of trial or of grace and entitlements at this moment; which tiers can be subscribed to; what is kept of each quota, and what the tier lets keep. */
export const readBilling = operation(
  {
    ...reads,
    ...people,
    input: z.strictObject({}),
    answer: z.object({
      tier: z.string(),
      status: z.string(),
      trialEndsAt: z.string().nullable(),
      graceEndsAt: z.string().nullable(),
      liveChargesRequired: z.literal(false),
      entitlements: z.array(z.string()),
      offered: z.array(z.string()),
      quotas: z.array(z.object({ quota: z.string(), used: z.number(), limit: z.number() })),
    }),
  },
  async (scope, _input, { clock, config, usage }: Pick<PortalPorts, 'clock' | 'config' | 'usage'>) => {
    const [row] = await scope.read<BillingRow>(selectBilling);
    const { tier, status, trialEndsAt, graceEndsAt, entitlements } = presentBilling(row, clock(), config.plans);
    return {
      tier,
      status,
      trialEndsAt: moment(trialEndsAt),
      graceEndsAt: moment(graceEndsAt),
      liveChargesRequired: false as const,
      entitlements: [...entitlements].toSorted(),
      offered: config.charging === undefined ? [] : offered(config.plans),
      quotas: await usage(scope.context.tenant),
    };
  },
);

const moment = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString());
