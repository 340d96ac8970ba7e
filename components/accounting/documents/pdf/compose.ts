import { fileURLToPath } from 'node:url';
import Pdf from 'pdfkit';
import type { Document } from '../document.ts';
import { dayIn, documentWords } from '../words.ts';
import { below, draw, type Fonts, languageOf } from './draw.ts';
import { isWinAnsi, named, printable } from './letters.ts';

const dejavu: Fonts = {
  regular: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  bold: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
};
const japanese: Fonts = {
  regular: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf'),
  ),
  bold: fileURLToPath(import.meta.resolve('@expo-google-fonts/biz-udpgothic/700Bold/BIZUDPGothic_700Bold.ttf')),
};
const standard: Fonts = { regular: 'Helvetica', bold: 'Helvetica-Bold' };

export interface Sheet {
  readonly document: Document;
  /** Who sells. */
  readonly seller: string;
}

/**
 * An invoice or credit note as PDF: the same bytes for the same document. Latin text is set in the standard fonts; where there is any other, all of it in
 * whichever embedded font lacks the fewest of its letters: DejaVu Sans (Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic) or BIZ UDPGothic (Japanese).
 * Letters that it lacks, such as Hangul or emoji, are named by their code point.
 */
export async function composePdf(sheet: Sheet): Promise<Buffer> {
  const { document } = sheet;
  const language = languageOf(document);
  const words = documentWords[language];
  const number = document.number ?? words.draft;
  const pdf = new Pdf({
    size: 'A4',
    margin: 50,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    info: {
      Title: `${words.titles[document.kind]} ${number}`,
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
  const texts = textsOf(sheet).map(printable);
  const [fonts, has] = isWinAnsi(texts) ? [standard, () => true] : closest(pdf, texts);
  pdf.font(fonts.regular);
  await draw(pdf, fonts, { ...sheet, write: (text) => named(printable(text), has) });
  pdf.end();
  return done;
}

function textsOf({ document, seller }: Sheet): string[] {
  const language = languageOf(document);
  const words = documentWords[language];
  return [
    seller,
    // Our own words need letters too.
    ...[...Object.values(words), ...Object.values(words.titles)].filter((word) => typeof word === 'string'),
    words.page(1, 1),
    words.amount(document.currency),
    dayIn(language, document.issueDate),
    ...below(document.seller, words),
    document.seller?.paymentDetails ?? '',
    document.buyer?.name ?? document.partyName,
    ...below(document.buyer, words),
    document.reference ?? '',
    document.notes ?? '',
    ...document.lines.map(({ description }) => description),
    ...document.taxes.map(({ name }) => name),
  ];
}

type Has = (codePoint: number) => boolean;

/** The font that lacks the fewest letters, and what it has. */
function closest(pdf: PDFKit.PDFDocument, texts: readonly string[]): [Fonts, Has] {
  const letters = new Set(texts.flatMap((text) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0)));
  const found = [dejavu, japanese].map((fonts) => {
    const has = glyphsOf(pdf.font(fonts.regular));
    return { fonts, has, lacks: [...letters].filter((letter) => !has(letter)).length };
  });
  const [first, other] = found as [(typeof found)[0], (typeof found)[0]];
  const { fonts, has } = other.lacks < first.lacks ? other : first;
  return [fonts, has];
}

/** pdfkit's types do not show the font that is set; it is one of fontkit. */
function glyphsOf(pdf: PDFKit.PDFDocument): Has {
  const { font } = (pdf as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })._font;
  return (codePoint) => font.hasGlyphForCodePoint(codePoint);
}
