import { developers } from './es/developers.ts';
import { home } from './es/home.ts';
import { parts } from './es/parts.ts';
import { settings } from './es/settings.ts';
import { shell } from './es/shell.ts';
import type { Words } from './words.ts';

export const es: Words = { developers, home, parts, settings, shell };
