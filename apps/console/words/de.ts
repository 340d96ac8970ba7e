import { activity } from './de/activity.ts';
import { agents } from './de/agents.ts';
import { approvals } from './de/approvals.ts';
import { commerce } from './de/commerce.ts';
import { deciding } from './de/deciding.ts';
import { developers } from './de/developers.ts';
import { events } from './de/events.ts';
import { forms } from './de/forms.ts';
import { home } from './de/home.ts';
import { labels } from './de/labels.ts';
import { money } from './de/money.ts';
import { parts } from './de/parts.ts';
import { people } from './de/people.ts';
import { selling } from './de/selling.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import { tools } from './de/tools.ts';
import type { Words } from './words.ts';

export const de: Words = {
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
