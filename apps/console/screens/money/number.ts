import type { DocumentKind } from './documents.tsx';

/** As the books number each kind. */
const prefixes: Readonly<Record<string, DocumentKind>> = {
  INV: 'invoice',
  CN: 'credit_note',
  BILL: 'bill',
  SC: 'supplier_credit',
};

interface Numbered {
  /** Each kind has numbers of its own. */
  readonly kind?: DocumentKind;
  /** Without the zeros before it, as it is asked for. */
  readonly number: string;
}

/** `INV-00042`, `inv 42` or `42`; undefined for anything else. */
export function numberIn(text: string): Numbered | undefined {
  const [, prefix = '', digits = ''] = /^\s*([a-z]*)[\s-]*0*([1-9]\d{0,17})\s*$/i.exec(text) ?? [];
  if (digits === '') return undefined;
  const kind = prefixes[prefix.toUpperCase()];
  if (prefix !== '' && kind === undefined) return undefined;
  return { number: digits, ...(kind === undefined ? {} : { kind }) };
}
