import { dictionary } from '@steward/kernel';
import { z } from 'zod';
import { sourceInput } from '../media/add.ts';
import { mediumMembers } from '../media/medium.ts';
import type { Row } from './columns.ts';

const asked = z.object({ url: sourceInput, alt: mediumMembers.alt, position: mediumMembers.position });

/** A picture as a line of the file has it. */
export interface FilePicture {
  readonly line: number;
  readonly url: string;
  readonly alt: string | undefined;
  readonly position: number | undefined;
}

/** A line whose picture is left out. The rest of it is imported. */
export const skippedPicture = z.object({ line: z.int(), detail: z.string() });
export type Skipped = z.output<typeof skippedPicture>;

const columnNames = dictionary<string>({
  url: 'Image Src',
  alt: 'Image Alt Text',
  position: 'Image Position',
});

/** The picture of a row, or why it is left out. */
export function pictureIn(row: Row, skipped: Skipped[]): FilePicture[] {
  const url = row.cell('image') ?? '';
  if (url === '') return [];
  const position = row.cell('imagePosition') ?? '';
  const read = asked.safeParse({
    url,
    alt: row.cell('imageAlt'),
    position: position === '' ? undefined : /^\d{1,3}$/.test(position) ? Number(position) : position,
  });
  if (read.success) return [{ line: row.line, url, alt: read.data.alt, position: read.data.position }];
  const [issue] = read.error.issues;
  skipped.push({ line: row.line, detail: `${columnNames[String(issue?.path[0])] ?? ''}: ${issue?.message ?? ''}.` });
  return [];
}
