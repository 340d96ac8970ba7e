/** Which side says how much there is; `none`: the two are counted apart. */
export const sides = ['none', 'shop', 'here'] as const;
