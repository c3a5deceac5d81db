const tones = 4;
const toneAt = (place: number) => `tone-${place % tones}`;

/** The class of a name's colour, which is the same everywhere. */
export const toneOf = (name: string): string =>
  toneAt([...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0));

/**
 * The class of the colour of what is booked. In the order of their provider the first four services differ; a service
 * that is not in this list has the colour of its name.
 */
export function toneOfService(service: string | null | undefined, ordered: readonly string[]): string {
  const place = service ? ordered.indexOf(service) : ordered.length;
  // The first is green, as what is agreed.
  return place < 0 ? toneOf(service ?? '') : toneAt(place + 1);
}
