export { approvals } from '../es/approvals.ts';
export { events } from '../es/events.ts';
export { home } from '../es/home.ts';
export { parts } from '../es/parts.ts';
export { shell } from '../es/shell.ts';
export { tools } from '../es/tools.ts';
