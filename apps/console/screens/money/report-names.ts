/** As the routes of the CSV files name them. */
export const reportNames = [
  'profit-and-loss',
  'balance-sheet',
  'trial-balance',
  'cash-flow',
  'tax-liability',
  'aged',
] as const;

export type ReportName = (typeof reportNames)[number];

export const isReportName = (text: string | undefined): text is ReportName => reportNames.some((name) => name === text);
