import { z } from 'zod';
import type { DocumentKind } from './kind.ts';

/** In which invoices and credit notes are written. */
export const documentLanguage = z.enum(['en', 'de', 'es', 'ja']);
export type DocumentLanguage = z.output<typeof documentLanguage>;

/** What documents say beside what somebody wrote. Amounts, days and numbers come as they are written in the language. */
export interface DocumentWords {
  readonly titles: Readonly<Record<DocumentKind, string>>;
  readonly void: string;
  readonly draft: string;
  readonly number: string;
  readonly date: string;
  readonly due: string;
  readonly ofInvoice: string;
  readonly reference: string;
  readonly to: string;
  readonly vatNumber: (number: string) => string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly tax: string;
  readonly amount: (currency: string) => string;
  readonly net: string;
  readonly taxOf: (name: string, percentage: string, net: string) => string;
  readonly total: (currency: string) => string;
  readonly taxIncluded: string;
  readonly payTo: string;
  readonly page: (number: number, count: number) => string;
  /** Of what was sold in an order. */
  readonly shipping: string;
  readonly adjustment: string;
  readonly adjustmentBefore: string;
  readonly lessDiscount: (amount: string) => string;
  readonly reverseCharge: string;
  /** On what shows how an invoice of a test would look. */
  readonly testPreview: string;
}

export const documentWords: Readonly<Record<DocumentLanguage, DocumentWords>> = {
  en: {
    titles: { invoice: 'Invoice', credit_note: 'Credit note', bill: 'Bill', supplier_credit: 'Supplier credit' },
    void: 'void',
    draft: 'Draft',
    number: 'Number',
    date: 'Date',
    due: 'Due',
    ofInvoice: 'Of invoice',
    reference: 'Reference',
    to: 'To',
    vatNumber: (number) => `VAT no. ${number}`,
    description: 'Description',
    quantity: 'Quantity',
    unitPrice: 'Unit price',
    tax: 'Tax',
    amount: (currency) => `Amount ${currency}`,
    net: 'Net',
    taxOf: (name, percentage, net) => `${name} (${percentage} of ${net})`,
    total: (currency) => `Total ${currency}`,
    taxIncluded: 'Prices and amounts of lines include tax.',
    payTo: 'Pay to',
    page: (number, count) => `Page ${number} of ${count}`,
    shipping: 'Shipping',
    adjustment: 'Adjustment',
    adjustmentBefore: 'Adjustment, given back before',
    lessDiscount: (amount) => `less discount ${amount}`,
    reverseCharge: 'Reverse charge: the customer owes the tax.',
    testPreview: 'TEST: this is the preview of an invoice. Nothing was sold, and nothing is to be paid.',
  },
  de: {
    titles: {
      invoice: 'Rechnung',
      credit_note: 'Rechnungskorrektur',
      bill: 'Eingangsrechnung',
      supplier_credit: 'Gutschrift des Lieferanten',
    },
    void: 'storniert',
    draft: 'Entwurf',
    number: 'Nummer',
    date: 'Datum',
    due: 'Fällig am',
    ofInvoice: 'Zu Rechnung',
    reference: 'Referenz',
    to: 'An',
    vatNumber: (number) => `USt-IdNr. ${number}`,
    description: 'Beschreibung',
    quantity: 'Menge',
    unitPrice: 'Einzelpreis',
    tax: 'USt.',
    amount: (currency) => `Betrag ${currency}`,
    net: 'Netto',
    taxOf: (name, percentage, net) => `${name} (${percentage} von ${net})`,
    total: (currency) => `Gesamt ${currency}`,
    taxIncluded: 'Preise und Beträge der Zeilen enthalten die Steuer.',
    payTo: 'Zahlbar an',
    page: (number, count) => `Seite ${number} von ${count}`,
    shipping: 'Versand',
    adjustment: 'Ausgleich',
    adjustmentBefore: 'Ausgleich, zuvor erstattet',
    lessDiscount: (amount) => `abzüglich Rabatt ${amount}`,
    reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers.',
    testPreview: 'TEST: Vorschau einer Rechnung. Nichts wurde verkauft, und nichts ist zu zahlen.',
  },
  es: {
    titles: {
      invoice: 'Factura',
      credit_note: 'Factura rectificativa',
      bill: 'Factura recibida',
      supplier_credit: 'Abono del proveedor',
    },
    void: 'anulada',
    draft: 'Borrador',
    number: 'Número',
    date: 'Fecha',
    due: 'Vencimiento',
    ofInvoice: 'De la factura',
    reference: 'Referencia',
    to: 'Para',
    vatNumber: (number) => `NIF-IVA ${number}`,
    description: 'Descripción',
    quantity: 'Cantidad',
    unitPrice: 'Precio',
    tax: 'IVA',
    amount: (currency) => `Importe ${currency}`,
    net: 'Base imponible',
    taxOf: (name, percentage, net) => `${name} (${percentage} de ${net})`,
    total: (currency) => `Total ${currency}`,
    taxIncluded: 'Los precios e importes de las líneas incluyen el impuesto.',
    payTo: 'Pagar a',
    page: (number, count) => `Página ${number} de ${count}`,
    shipping: 'Envío',
    adjustment: 'Ajuste',
    adjustmentBefore: 'Ajuste, devuelto antes',
    lessDiscount: (amount) => `menos descuento ${amount}`,
    reverseCharge: 'Inversión del sujeto pasivo.',
    testPreview: 'PRUEBA: vista previa de una factura. No se vendió nada y no hay nada que pagar.',
  },
  ja: {
    titles: { invoice: '請求書', credit_note: '返還請求書', bill: '受領請求書', supplier_credit: '仕入先の返還' },
    void: '無効',
    draft: '下書き',
    number: '番号',
    date: '日付',
    due: 'お支払期限',
    ofInvoice: '対象の請求書',
    reference: '参照',
    to: '宛先',
    vatNumber: (number) => `登録番号 ${number}`,
    description: '内容',
    quantity: '数量',
    unitPrice: '単価',
    tax: '税',
    amount: (currency) => `金額 ${currency}`,
    net: '税抜',
    taxOf: (name, percentage, net) => `${name} (${net} の ${percentage})`,
    total: (currency) => `合計 ${currency}`,
    taxIncluded: '単価と各行の金額は税込です。',
    payTo: 'お支払先',
    page: (number, count) => `${number} / ${count} ページ`,
    shipping: '送料',
    adjustment: '調整',
    adjustmentBefore: '調整（返金済み）',
    lessDiscount: (amount) => `割引 ${amount} を差引き`,
    reverseCharge: 'リバースチャージ：税は購入者が納めます。',
    testPreview: 'テスト：請求書のプレビューです。販売はなく、お支払いは不要です。',
  },
};

/** A decimal as the language writes it. */
export const decimalIn = (language: DocumentLanguage, text: string): string =>
  language === 'de' || language === 'es' ? text.replace('.', ',') : text;

/** A day, YYYY-MM-DD, as the language writes it; in English as it is, since countries differ. */
export function dayIn(language: DocumentLanguage, day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  if (language === 'de') return `${date}.${month}.${year}`;
  if (language === 'es') return `${date}/${month}/${year}`;
  return language === 'ja' ? `${year}年${Number(month)}月${Number(date)}日` : day;
}
