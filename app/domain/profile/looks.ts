export const colours = ['red', 'blue', 'green', 'plum', 'gold', 'slate'] as const;
export type Colour = (typeof colours)[number];
/** What hangs over a provider's page: nothing, or flags as over an invitation. */
export const heads = ['plain', 'festive'] as const;
export type Head = (typeof heads)[number];
