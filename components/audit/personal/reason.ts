import { z } from 'zod';

export const plainText = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), 'Remove the control character');

/** Recorded for ever. */
export const recordedReason = plainText(500);
