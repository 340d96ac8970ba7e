/** The raw key in a line of `verifierKey`, base64url without padding. Its base64 may hold `+` too. */
export function publicKeyOf(verifierKey: string): string {
  const encoded = verifierKey.split('+').slice(2).join('+');
  return Buffer.from(encoded, 'base64').subarray(1).toString('base64url');
}
