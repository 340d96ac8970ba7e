import { developers } from './ja/developers.ts';
import { home } from './ja/home.ts';
import { parts } from './ja/parts.ts';
import { settings } from './ja/settings.ts';
import { shell } from './ja/shell.ts';
import type { Words } from './words.ts';

export const ja: Words = { developers, home, parts, settings, shell };
