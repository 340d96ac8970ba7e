const mostDays = 7;

/** Whether an e-mail about what happened then is news: not of a past that an operator tells (ADR 32), nor after days of outage. */
export const isNews = (at: Date): boolean => at.getTime() > Date.now() - mostDays * 86_400_000;
