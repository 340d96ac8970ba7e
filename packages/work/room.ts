/** So many things under way at once, of all and of one: whoever takes long leaves room for others. */
export interface Room {
  /** Whether there was room; then `leave` gives it back, once. @param of whose it is */
  enter(of: string): boolean;
  leave(of: string): void;
}

export function createRoom(most: { readonly all: number; readonly ofOne: number }): Room {
  const inside = new Map<string, number>();
  let all = 0;
  return {
    enter: (of) => {
      const own = inside.get(of) ?? 0;
      if (all >= most.all || own >= most.ofOne) return false;
      inside.set(of, own + 1);
      all += 1;
      return true;
    },
    leave: (of) => {
      const own = inside.get(of) ?? 0;
      if (own <= 1) inside.delete(of);
      else inside.set(of, own - 1);
      all -= 1;
    },
  };
}
