import type { ReactNode } from 'react';
import { figureText, type Amount } from '../data/money.ts';
import { legible } from '../data/legible.ts';
import { Go, type To } from '../shell/go.tsx';
import { useLocale } from '../words/language.ts';
import styles from './figure.module.css';

/** A figure of a report, and where it comes from. @param label says it whole to those who hear it, where it leads */
export function Figure({
  of,
  to,
  label,
}: {
  readonly of: Amount | null | undefined;
  readonly to?: To | undefined;
  readonly label?: string | undefined;
}): ReactNode {
  const locale = useLocale();
  if (of === null || of === undefined) return null;
  const text = figureText(of.amount, locale);
  const shown = (
    <data className={styles['figure']} value={`${of.amount} ${of.currency}`}>
      {text}
    </data>
  );
  if (to === undefined) return shown;
  return (
    <Go to={to} className={styles['link']} {...(label === undefined ? {} : { label: legible(`${label}: ${text}`) })}>
      {shown}
    </Go>
  );
}
