/** English has the names of members themselves, as words (`wordsOf`). */
export const labels: Readonly<Record<string, string>> = {};
