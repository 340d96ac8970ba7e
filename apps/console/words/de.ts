import { home } from './de/home.ts';
import { parts } from './de/parts.ts';
import { shell } from './de/shell.ts';
import type { Words } from './words.ts';

export const de: Words = { home, parts, shell };
