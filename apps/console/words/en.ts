import { activity } from './en/activity.ts';
import { agents } from './en/agents.ts';
import { approvals } from './en/approvals.ts';
import { commerce } from './en/commerce.ts';
import { deciding } from './en/deciding.ts';
import { developers } from './en/developers.ts';
import { events } from './en/events.ts';
import { forms } from './en/forms.ts';
import { home } from './en/home.ts';
import { labels } from './en/labels.ts';
import { money } from './en/money.ts';
import { parts } from './en/parts.ts';
import { people } from './en/people.ts';
import { selling } from './en/selling.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { tools } from './en/tools.ts';

export const en = {
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
