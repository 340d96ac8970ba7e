import { developers } from './de/developers.ts';
import { home } from './de/home.ts';
import { parts } from './de/parts.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import type { Words } from './words.ts';

export const de: Words = { developers, home, parts, settings, shell };
