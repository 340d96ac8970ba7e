import { dictionary } from '@steward/kernel/dictionary';

/** English has the names of members themselves, as words (`wordsOf`). */
export const labels = dictionary<string>({});
