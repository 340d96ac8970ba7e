import { parts } from './ja/parts.ts';
import { shell } from './ja/shell.ts';
import type { Words } from './words.ts';

export const ja: Words = { parts, shell };
