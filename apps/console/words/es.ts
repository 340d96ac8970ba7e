import { activity } from './es/activity.ts';
import { agents } from './es/agents.ts';
import { approvals } from './es/approvals.ts';
import { commerce } from './es/commerce.ts';
import { deciding } from './es/deciding.ts';
import { developers } from './es/developers.ts';
import { events } from './es/events.ts';
import { forms } from './es/forms.ts';
import { home } from './es/home.ts';
import { labels } from './es/labels.ts';
import { money } from './es/money.ts';
import { parts } from './es/parts.ts';
import { people } from './es/people.ts';
import { selling } from './es/selling.ts';
import { settings } from './es/settings.ts';
import { shell } from './es/shell.ts';
import { tools } from './es/tools.ts';
import type { Words } from './words.ts';

export const es: Words = {
  activity,
  agents,
  approvals,
  commerce,
  deciding,
  developers,
  events,
  forms,
  home,
  labels,
  money,
  parts,
  people,
  selling,
  settings,
  shell,
  tools,
};
