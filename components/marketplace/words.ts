/** Which side says how much there is; `none`: the two are counted apart. */
export const sides = ['none', 'shop', 'here'] as const;
/** Which side describes the products. */
export const describing = ['shop', 'here'] as const;
