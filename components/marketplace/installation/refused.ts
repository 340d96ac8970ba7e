import type { Why } from './words.ts';

/** Why an installation is refused, for the page that says so: the cause of the problem. */
export class Refused extends Error {
  readonly why: Why;
  /** At whose page of the console it began; '' elsewhere. */
  readonly tenant: string;
  constructor(why: Why, tenant = '') {
    super(why);
    this.why = why;
    this.tenant = tenant;
  }
}
