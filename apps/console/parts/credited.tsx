import type { ReactNode } from 'react';
import { difference, sum } from '../data/decimal.ts';
import { isAmount, isNegative, isZero, moneyText, type Amount } from '../data/money.ts';
import { legible } from '../data/legible.ts';
import { useLocale, useWords } from '../words/language.ts';
import styles from './credited.module.css';

/** What a credit takes back, and how much all credits of that take back together. */
export interface Credited {
  readonly id: string;
  readonly number: string;
  readonly total: Amount;
  readonly issued: Amount;
  readonly drafts: Amount;
}

/** Says where credits take back more than their document is over. */
export function CreditedBeyond({ of }: { readonly of: Credited | null | undefined }): ReactNode {
  const words = useWords().parts;
  const locale = useLocale();
  if (of == null) return null;
  const credited = { ...of.total, amount: sum(of.issued.amount, of.drafts.amount) };
  if (!isNegative(difference(of.total.amount, credited.amount))) return null;
  const number = legible(of.number);
  const [most, all, drafts] = [of.total, credited, of.drafts].map((one) => moneyText(one, locale)) as [
    string,
    string,
    string,
  ];
  return (
    <p role="note" className={styles['beyond']}>
      {words.creditedBeyond(all, most, number, isZero(of.drafts.amount) ? '' : drafts)}
    </p>
  );
}

/** What a preview says is credited: that of issuing, of a new draft, or of a changed one. */
export function creditedIn(preview: unknown): Credited | undefined {
  const { credited, document } = record(preview);
  const found = record(credited ?? record(document)['credited']);
  const isShown = (name: string): boolean => {
    const { amount, currency } = record(found[name]);
    return typeof amount === 'string' && typeof currency === 'string' && isAmount({ amount, currency });
  };
  return typeof found['number'] === 'string' && ['total', 'issued', 'drafts'].every(isShown)
    ? (found as unknown as Credited)
    : undefined;
}

const record = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {};
