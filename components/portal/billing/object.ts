type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

/** What an event of the provider is about. */
export const objectOf = (data: Members): Members => membersOf(membersOf(data['data'])['object']);

/** An id of the provider, as itself or as the whole that it names. */
export function idOf(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : membersOf(value)['id'];
  return typeof id === 'string' && /^[A-Za-z0-9_]{1,100}$/.test(id) ? id : undefined;
}

/** Whose it is, where it says so. */
export function customerIn(object: Members): string | undefined {
  return idOf(object['object'] === 'customer' ? object['id'] : object['customer']);
}
