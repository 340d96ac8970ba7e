import { z } from 'zod';

/**
 * A pattern that the server checks and that no schema shows: it uses Unicode classes, which not every client's schema library can
 * compile, or says less than a description does.
 */
export const fits =
  (pattern: RegExp, message: string) =>
  (text: z.core.ParsePayload<string>): void => {
    if (!pattern.test(text.value))
      text.issues.push({ code: 'invalid_format', format: 'regex', input: text.value, message });
  };

/** One line of text that people read: trimmed, without control characters or halves of characters. */
export const line = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .check(fits(/^[^\p{Cc}\p{Cs}]*$/u, 'Remove control characters and line breaks'));

/** Like `line`, of what may as well be left out; what is left out is not given blank. */
export const remark = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .check(
      fits(
        /^[^\p{Cc}\p{Cs}]+$/u,
        'Give a text that is not blank, without control characters and line breaks, or leave the member out',
      ),
    );

/** Like `remark`, and line breaks are accepted. */
export const remarks = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .check(
      fits(
        /^(?:[^\p{Cc}\p{Cs}]|\n)+$/u,
        'Give a text that is not blank, without control characters, or leave the member out',
      ),
    );
