export const colours = ['red', 'blue', 'green', 'plum', 'gold', 'slate'] as const;
export type Colour = (typeof colours)[number];
/** A provider's page has nothing above it, or flags like an invitation. */
export const heads = ['plain', 'festive'] as const;
export type Head = (typeof heads)[number];
