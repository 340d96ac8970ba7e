import { createPace, formatAmount, type Money, parseAmount, trimEnd, type Pace } from '@steward/kernel';
import type { Document } from '../document.ts';
import { dayIn, decimalIn, type DocumentLanguage, documentWords, type DocumentWords } from '../words.ts';

/** Names of standard fonts, or files. */
export interface Fonts {
  readonly regular: string;
  readonly bold: string;
}

interface Sheet {
  readonly document: Document;
  readonly seller: string;
  /** What somebody wrote, in letters the fonts have. */
  readonly write: (text: string) => string;
  readonly language: DocumentLanguage;
  readonly words: DocumentWords;
}

type Cell = readonly [text: string, x: number, width: number, align: 'left' | 'right'];

const left = 50;
const right = 545;
const foot = 770;

/** Places in points; A4 is 595 by 842 of them. Long documents are drawn a while at a time, so that others are served meanwhile. */
export async function draw(
  pdf: PDFKit.PDFDocument,
  fonts: Fonts,
  { document, ...rest }: Omit<Sheet, 'language' | 'words'>,
): Promise<void> {
  const pace = createPace();
  const language = languageOf(document);
  const sheet: Sheet = { document, ...rest, language, words: documentWords[language] };
  head(pdf, fonts, sheet);
  await table(pdf, fonts, sheet, pace);
  totals(pdf, fonts, sheet);
  payTo(pdf, fonts, sheet);
  const { notes } = document;
  if (notes !== null)
    pdf
      .font(fonts.regular)
      .fontSize(9)
      .text(sheet.write(notes), left, pdf.y + 20, { width: right - left });
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    if (pace.due()) await pace.rest();
    pdf.switchToPage(page);
    // Below the margin a text would begin a new page.
    pdf.page.margins.bottom = 0;
    pdf
      .font(fonts.regular)
      .fontSize(8)
      .text(sheet.words.page(page + 1, count), left, 800, { width: right - left, align: 'right', lineBreak: false });
  }
}

/** What suppliers wrote has no language of ours. */
export const languageOf = ({ seller }: Document): DocumentLanguage => seller?.language ?? 'en';

/** What is said of whoever sells or buys, below the name. */
export const below = (who: Partial<NonNullable<Document['seller']>> | null, { vatNumber }: DocumentWords): string[] =>
  [who?.address, typeof who?.vatNumber === 'string' ? vatNumber(who.vatNumber) : null, who?.registration].filter(
    (text) => text !== null && text !== undefined,
  );

function head(pdf: PDFKit.PDFDocument, fonts: Fonts, { document, seller, write, language, words }: Sheet): void {
  const status = document.status === 'void' ? ` (${words.void})` : '';
  const width = 270;
  pdf.font(fonts.bold).fontSize(18).text(write(seller), left, 50, { width });
  pdf.y += 2;
  pdf.font(fonts.regular).fontSize(9);
  for (const text of below(document.seller, words)) pdf.text(write(text), left, pdf.y, { width });
  const to = pdf.y + 12;
  pdf
    .font(fonts.bold)
    .fontSize(18)
    .text(`${words.titles[document.kind]}${status}`, 330, 50, {
      width: right - 330,
      align: 'right',
    });
  const facts: (readonly [string, string | null])[] = [
    [words.number, document.number ?? words.draft],
    [words.date, dayIn(language, document.issueDate)],
    [words.due, document.kind === 'invoice' ? dayIn(language, document.dueDate) : null],
    // Of which one the law asks (article 219 of Directive 2006/112/EC).
    [words.ofInvoice, document.credits === null ? null : (document.credited?.number ?? null)],
    [words.reference, document.reference],
  ];
  pdf.fontSize(10);
  let y = pdf.y + 8;
  for (const [label, value] of facts) {
    if (value === null) continue;
    pdf.font(fonts.regular).text(label, 330, y, { width: 80 });
    pdf.font(fonts.bold).text(write(value), 410, y, { width: right - 410, align: 'right' });
    y = pdf.y + 2;
  }
  pdf
    .font(fonts.regular)
    .text(words.to, left, to)
    .font(fonts.bold)
    .text(write(document.buyer?.name ?? document.partyName), { width });
  pdf.font(fonts.regular).fontSize(9);
  for (const text of below(document.buyer, words)) pdf.text(write(text), left, pdf.y, { width });
  pdf.y = Math.max(pdf.y, y) + 24;
}

const columns = (texts: readonly [string, string, string, string, string]): Cell[] => [
  [texts[0], left, 210, 'left'],
  [texts[1], 270, 60, 'right'],
  [texts[2], 340, 75, 'right'],
  [texts[3], 420, 40, 'right'],
  [texts[4], 465, right - 465, 'right'],
];

function row(pdf: PDFKit.PDFDocument, cells: readonly Cell[]): void {
  const y = pdf.y;
  let bottom = y;
  for (const [text, x, width, align] of cells) {
    pdf.text(text, x, y, { width, align });
    bottom = Math.max(bottom, pdf.y);
  }
  pdf.y = bottom + 5;
}

async function table(
  pdf: PDFKit.PDFDocument,
  fonts: Fonts,
  { document, write, language, words }: Sheet,
  pace: Pace,
): Promise<void> {
  const told = (text: string): string => decimalIn(language, text);
  const title = (): void => {
    pdf.font(fonts.bold).fontSize(9);
    const { description, quantity, unitPrice, tax, amount } = words;
    row(pdf, columns([description, quantity, unitPrice, tax, amount(document.currency)]));
    rule(pdf);
    pdf.font(fonts.regular);
  };
  title();
  for (const line of document.lines) {
    if (pace.due()) await pace.rest();
    const description = write(line.description);
    const space = foot - pdf.y;
    // A description longer than a page runs on by itself.
    if (pdf.heightOfString(description, { width: 210 }) > space && space < 600) {
      pdf.addPage();
      title();
    }
    const own = document.pricing === 'inclusive' ? withTax(line.net, line.tax) : line.net.amount;
    const tax = line.percentage === null ? '' : told(percent(line.percentage));
    // The numbers first: they are beside the first line, whatever page the description ends on.
    const [text, ...numbers] = columns([description, told(line.quantity), told(line.unitPrice), tax, told(own)]);
    row(pdf, [...numbers, ...(text === undefined ? [] : [text])]);
  }
  rule(pdf);
}

function totals(pdf: PDFKit.PDFDocument, fonts: Fonts, { document, write, language, words }: Sheet): void {
  const told = (text: string): string => decimalIn(language, text);
  const lines: (readonly [string, string])[] = [
    [words.net, told(document.net.amount)],
    ...document.taxes.map(
      ({ name, percentage, net, tax }) =>
        [words.taxOf(write(name), told(percent(percentage)), told(net.amount)), told(tax.amount)] as const,
    ),
    [words.total(document.currency), told(document.total.amount)],
  ];
  if (pdf.y + lines.length * 18 > foot) pdf.addPage();
  pdf.y += 4;
  for (const [index, [label, amount]] of lines.entries()) {
    pdf.font(index === lines.length - 1 ? fonts.bold : fonts.regular).fontSize(10);
    row(pdf, [
      [label, 250, 200, 'right'],
      [amount, 455, right - 455, 'right'],
    ]);
  }
  if (document.pricing === 'inclusive' && document.taxes.length > 0)
    pdf
      .font(fonts.regular)
      .fontSize(8)
      .text(words.taxIncluded, left, pdf.y, { width: right - left });
}

/** Where the buyer pays to, kept together on one page. */
function payTo(pdf: PDFKit.PDFDocument, fonts: Fonts, { document, write, words }: Sheet): void {
  const details = document.seller?.paymentDetails ?? null;
  if (details === null) return;
  const text = write(details);
  pdf.font(fonts.regular).fontSize(9);
  if (pdf.y + 34 + pdf.heightOfString(text, { width: right - left }) > foot) pdf.addPage();
  pdf
    .font(fonts.bold)
    .text(words.payTo, left, pdf.y + 20, { width: right - left })
    .font(fonts.regular)
    .text(text, { width: right - left });
}

function rule(pdf: PDFKit.PDFDocument): void {
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.5).stroke();
  pdf.y += 6;
}

const percent = (text: string): string => `${text.includes('.') ? trimEnd(trimEnd(text, '0'), '.') : text} %`;

const withTax = (net: Money, tax: Money): string =>
  formatAmount(
    (parseAmount(net.amount, net.currency) ?? 0n) + (parseAmount(tax.amount, tax.currency) ?? 0n),
    net.currency,
  );
