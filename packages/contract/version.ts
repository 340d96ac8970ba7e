import { z } from 'zod';

/** What a version, a revision or any other counter may be: 1 up to the largest integer that a column of the database holds. */
export const versionNumber = z.int().min(1).max(2_147_483_647);
