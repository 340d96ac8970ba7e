import { parts } from './es/parts.ts';
import { shell } from './es/shell.ts';
import type { Words } from './words.ts';

export const es: Words = { parts, shell };
