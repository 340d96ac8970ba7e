import { commerce } from './en/commerce.ts';
import { developers } from './en/developers.ts';
import { forms } from './en/forms.ts';
import { home } from './en/home.ts';
import { money } from './en/money.ts';
import { parts } from './en/parts.ts';
import { people } from './en/people.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';

export const en = { commerce, developers, forms, home, money, parts, people, settings, shell };
