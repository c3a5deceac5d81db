import { encode } from 'uqr';

/**
 * Draws a text as a QR code, so that the browser needs no encoder.
 * @param repairs how much of the code may be unreadable: L 7 %, M 15 %
 */
export function qrCodeOf(text: string, repairs: 'L' | 'M' = 'L') {
  // A camera can read any mask. To find the best of the eight would take as long as rendering the rest of the screen.
  const { data, size } = encode(text, { border: 2, maskPattern: 0, ecc: repairs });
  const runs = (row: boolean[]) => [...row.map(Number).join('').matchAll(/1+/g)];
  // Each run is a line that begins where the one before it ended, which takes half the bytes of a square of its own.
  const lineOf = (row: boolean[], y: number) => {
    let at = 0;
    return runs(row).map(({ 0: { length }, index }) => {
      const start = at === 0 ? `M${index} ${y}.5` : `m${index - at} 0`;
      at = index + length;
      return `${start}h${length}`;
    });
  };
  const path = data.flatMap(lineOf).join('');
  return { path, size };
}
