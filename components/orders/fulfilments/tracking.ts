import { line } from '@steward/contract';
import { z } from 'zod';

/** Told to the buyer. Null clears. */
export const tracking = {
  carrier: line(100).nullable().optional().meta({ description: 'Who carries it, such as DHL.' }),
  trackingNumber: line(100).nullable().optional().meta({ description: 'Of the parcel, as the carrier gives it.' }),
  trackingUrl: z
    .url({ protocol: /^https$/, hostname: z.regexes.domain })
    .max(2000)
    .nullable()
    .optional()
    .meta({ description: 'Page of the carrier for this parcel; https only.' }),
};
