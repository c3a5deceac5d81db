import { encode } from 'uqr';

/**
 * Draws a text as a QR code, so that the browser needs no encoder.
 * @param repairs how much of the code may be unreadable: L 7 %, M 15 %
 */
export function qrCodeOf(text: string, repairs: 'L' | 'M' = 'L') {
  // A camera can read any mask. To find the best of the eight would take as long as rendering the rest of the screen.
  const { data, size } = encode(text, { border: 2, maskPattern: 0, ecc: repairs });
  const runs = (row: boolean[]) => row.map(Number).join('').matchAll(/1+/g);
  const path = data
    .flatMap((row, y) => [...runs(row)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`))
    .join('');
  return { path, size };
}
