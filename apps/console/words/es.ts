import { home } from './es/home.ts';
import { parts } from './es/parts.ts';
import { shell } from './es/shell.ts';
import type { Words } from './words.ts';

export const es: Words = { home, parts, shell };
