import { encode } from 'uqr';

/** A link as the squares of a QR code. The browser is spared the encoder. */
export function qrCodeOf(link: string) {
  // Cameras read any mask. Trying all eight for the prettiest takes as long as rendering the rest of the screen.
  const { data, size } = encode(link, { border: 2, maskPattern: 0 });
  const runs = (row: boolean[]) => row.map(Number).join('').matchAll(/1+/g);
  const path = data
    .flatMap((row, y) => [...runs(row)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`))
    .join('');
  return { path, size };
}
