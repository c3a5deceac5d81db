export const colours = ['red', 'blue', 'green', 'plum', 'gold', 'slate'] as const;
export type Colour = (typeof colours)[number];
/** Nothing, or flags as over an invitation. */
export const heads = ['plain', 'festive'] as const;
export type Head = (typeof heads)[number];
