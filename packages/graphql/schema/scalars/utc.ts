const day = 86_400_000;
const padded = (digits: number): readonly string[] =>
  Array.from({ length: 10 ** digits }, (_, value) => String(value).padStart(digits, '0'));
const two = padded(2);
const three = padded(3);

let start = Number.NaN;
let date = '';

/**
 * `new Date(milliseconds).toISOString()`, five times as fast for moments of one day: in an answer of dated rows that
 * call would be the largest part of the work.
 * @throws RangeError for what is no time
 */
export function utc(milliseconds: number): string {
  const moment = Math.trunc(milliseconds);
  if (!(moment >= start && moment < start + day)) {
    const text = new Date(moment).toISOString();
    start = Math.floor(moment / day) * day;
    date = text.slice(0, -13);
  }
  const since = moment - start;
  const seconds = Math.trunc(since / 1_000);
  const minutes = Math.trunc(seconds / 60);
  return `${date}${two[Math.trunc(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[since % 1_000]}Z`;
}
