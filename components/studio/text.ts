import { z } from 'zod';

/** One line of text that people read: trimmed, without control characters or halves of characters. */
export const line = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Control characters and line breaks are not accepted');

/** Like `line`, and line breaks are accepted. */
export const lines = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|\n)*$/u, 'Control characters are not accepted');
