import { home } from './ja/home.ts';
import { parts } from './ja/parts.ts';
import { shell } from './ja/shell.ts';
import type { Words } from './words.ts';

export const ja: Words = { home, parts, shell };
