import { dictionary } from '@steward/kernel/dictionary';
import type { DocumentKind } from './document-kinds.ts';

/** As the books number each kind. */
const prefixes = dictionary<DocumentKind>({
  INV: 'invoice',
  CN: 'credit_note',
  BILL: 'bill',
  SC: 'supplier_credit',
});

interface Numbered {
  /** Each kind has numbers of its own. */
  readonly kind?: DocumentKind;
  /** Without the zeros before it, as it is asked for. */
  readonly number: string;
}

/** `INV-00042`, `inv 42` or `42`; undefined for anything else. */
export function numberIn(text: string): Numbered | undefined {
  const [, prefix = '', written = ''] = /^([a-z]{0,4})[ -]{0,3}(\d{1,24})$/i.exec(text.trim()) ?? [];
  const digits = written.replace(/^0+/, '');
  if (digits === '' || digits.length > 18) return undefined;
  const kind = prefixes[prefix.toUpperCase()];
  if (prefix !== '' && kind === undefined) return undefined;
  return { number: digits, ...(kind === undefined ? {} : { kind }) };
}
