import { activity } from './ja/activity.ts';
import { agents } from './ja/agents.ts';
import { approvals } from './ja/approvals.ts';
import { commerce } from './ja/commerce.ts';
import { deciding } from './ja/deciding.ts';
import { developers } from './ja/developers.ts';
import { events } from './ja/events.ts';
import { forms } from './ja/forms.ts';
import { home } from './ja/home.ts';
import { labels } from './ja/labels.ts';
import { money } from './ja/money.ts';
import { parts } from './ja/parts.ts';
import { people } from './ja/people.ts';
import { selling } from './ja/selling.ts';
import { settings } from './ja/settings.ts';
import { shell } from './ja/shell.ts';
import { tools } from './ja/tools.ts';
import type { Words } from './words.ts';

export const ja: Words = {
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
