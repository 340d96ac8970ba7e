/** The addresses that the console calls. Each has tokens of its own. */
export const places = ['portal', 'accounting', 'commerce', 'studio'] as const;
export type Place = (typeof places)[number];

export const isPlace = (name: string | undefined): name is Place => places.some((place) => place === name);
