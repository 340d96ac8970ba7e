import { developers } from './en/developers.ts';
import { home } from './en/home.ts';
import { parts } from './en/parts.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';

export const en = { developers, home, parts, settings, shell };
