import { fileURLToPath } from 'node:url';
import Pdf from 'pdfkit';
import type { Document } from '../document.ts';
import { natures } from '../kind.ts';
import { draw, type Fonts } from './draw.ts';
import { isWinAnsi, named, printable } from './letters.ts';

const dejavu: Fonts = {
  regular: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  bold: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
};
const standard: Fonts = { regular: 'Helvetica', bold: 'Helvetica-Bold' };

export interface Sheet {
  readonly document: Document;
  /** Who sells. */
  readonly seller: string;
}

/**
 * An invoice or credit note as PDF: the same bytes for the same document. Latin text is set in the standard fonts; where
 * there is any other, all of it in an embedded DejaVu Sans (Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic); letters
 * that has not, such as Chinese or emoji, are named by their code point.
 */
export async function composePdf(sheet: Sheet): Promise<Buffer> {
  const { document } = sheet;
  const number = document.number ?? 'Draft';
  const pdf = new Pdf({
    size: 'A4',
    margin: 50,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `${natures[document.kind].title} ${number}`,
      Producer: 'Steward',
      Creator: 'Steward',
      CreationDate: new Date(document.issuedAt ?? document.createdAt),
    },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  const latin = isWinAnsi(textsOf(sheet).map(printable));
  const fonts = latin ? standard : dejavu;
  pdf.font(fonts.regular);
  const has = latin ? () => true : glyphsOf(pdf);
  await draw(pdf, fonts, { ...sheet, write: (text) => named(printable(text), has) });
  pdf.end();
  return done;
}

const textsOf = ({ document, seller }: Sheet): string[] => [
  seller,
  document.partyName,
  document.reference ?? '',
  document.notes ?? '',
  ...document.lines.map(({ description }) => description),
  ...document.taxes.map(({ name }) => name),
];

/** pdfkit's types do not show the font that is set; it is one of fontkit. */
function glyphsOf(pdf: PDFKit.PDFDocument): (codePoint: number) => boolean {
  const { font } = (pdf as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })._font;
  return (codePoint) => font.hasGlyphForCodePoint(codePoint);
}
