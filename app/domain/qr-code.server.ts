import { encode } from 'uqr';

/** Draws a link as a QR code, so that the browser needs no encoder. */
export function qrCodeOf(link: string) {
  // A camera can read any mask. To find the best of the eight would take as long as rendering the rest of the screen.
  const { data, size } = encode(link, { border: 2, maskPattern: 0 });
  const runs = (row: boolean[]) => row.map(Number).join('').matchAll(/1+/g);
  const path = data
    .flatMap((row, y) => [...runs(row)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`))
    .join('');
  return { path, size };
}
