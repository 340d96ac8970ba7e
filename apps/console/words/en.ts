import { parts } from './en/parts.ts';
import { shell } from './en/shell.ts';

export const en = { parts, shell };
