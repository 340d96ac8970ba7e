export { approvals } from '../de/approvals.ts';
export { events } from '../de/events.ts';
export { home } from '../de/home.ts';
export { parts } from '../de/parts.ts';
export { shell } from '../de/shell.ts';
export { tools } from '../de/tools.ts';
