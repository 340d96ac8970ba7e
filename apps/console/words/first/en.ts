export { approvals } from '../en/approvals.ts';
export { events } from '../en/events.ts';
export { home } from '../en/home.ts';
export { parts } from '../en/parts.ts';
export { shell } from '../en/shell.ts';
export { tools } from '../en/tools.ts';
