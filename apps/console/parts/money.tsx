import type { ReactNode } from 'react';
import { isNegative, moneyText, type Amount } from '../data/money.ts';
import { useLocale } from '../words/language.ts';
import styles from './money.module.css';

/** An amount of money, every digit of it. Two strings as the API has them, or one object. */
export function Money({ of }: { readonly of: Amount | null | undefined }): ReactNode {
  const locale = useLocale();
  if (of === null || of === undefined) return null;
  return (
    <data className={isNegative(of.amount) ? styles['below'] : styles['money']} value={`${of.amount} ${of.currency}`}>
      {moneyText(of, locale)}
    </data>
  );
}
