export { approvals } from '../ja/approvals.ts';
export { events } from '../ja/events.ts';
export { home } from '../ja/home.ts';
export { parts } from '../ja/parts.ts';
export { shell } from '../ja/shell.ts';
export { tools } from '../ja/tools.ts';
