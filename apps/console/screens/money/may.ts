import type { Role } from '../../data/session.ts';

/** Who may change the books. */
export const bookkeepers: readonly Role[] = ['owner', 'admin', 'accountant'];
