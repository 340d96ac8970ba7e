/** What admits somebody, or only says by which way a request came. */
const left =
  /^(?:authorization|proxy-|cookie|connection$|content-length$|x-forwarded-|forwarded$|via$)|signature|hmac|-sig$|verification/;
const longest = 500;
const most = 60;

/** The headers of a request that are kept with it: without credentials and signatures. */
export const keptHeaders = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .flatMap(([name, value]) =>
        value === undefined || left.test(name) ? [] : [[name, value.slice(0, longest)] as const],
      )
      .slice(0, most),
  );
