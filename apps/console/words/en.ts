import { home } from './en/home.ts';
import { parts } from './en/parts.ts';
import { shell } from './en/shell.ts';

export const en = { home, parts, shell };
