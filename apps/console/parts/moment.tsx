import type { ReactNode } from 'react';
import { agoText, dayText, momentText } from '../data/moment.ts';
import { useLocale, useWords } from '../words/language.ts';

/** When something happened: in the reader's time, in UTC by the title. @param ago says how long ago instead */
export function Moment({
  at,
  ago = false,
}: {
  readonly at: string | null | undefined;
  readonly ago?: boolean;
}): ReactNode {
  const locale = useLocale();
  const words = useWords().parts;
  if (at === null || at === undefined) return null;
  return (
    <time dateTime={at} title={words.utc(at.slice(0, 19).replace('T', ' '))}>
      {ago ? agoText(at, locale) : momentText(at, locale)}
    </time>
  );
}

/** A business day of UTC: `2026-12-01`. */
export function Day({ on }: { readonly on: string | null | undefined }): ReactNode {
  const locale = useLocale();
  if (on === null || on === undefined) return null;
  return <time dateTime={on.slice(0, 10)}>{dayText(on, locale)}</time>;
}
