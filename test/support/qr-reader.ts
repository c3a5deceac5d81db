import type { HTMLElement } from 'node-html-parser';
import decode from 'qr/decode.js';

/* The camera of a phone: paints the lines of a drawn code, and reads it with a decoder that others wrote. */

// So many pixels for each square of the code.
const scale = 6;

/** What the drawn QR code says. @throws Error if nobody could read it */
export function textOfQr(svg: HTMLElement): string {
  const size = Number(svg.getAttribute('viewbox')?.split(' ')[2] ?? svg.getAttribute('viewBox')?.split(' ')[2]);
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  const paint = (x: number, y: number) => {
    for (let row = y * scale; row < (y + 1) * scale; row++) {
      for (let column = x * scale; column < (x + 1) * scale; column++)
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  };
  let [x, y] = [0, 0];
  const lines = svg.querySelector('path[stroke]')?.getAttribute('d') ?? '';
  for (const { groups } of lines.matchAll(/(?<command>[Mmh])(?<first>-?[\d.]+)(?: (?<second>-?[\d.]+))?/g)) {
    const [first, second] = [Number(groups?.first), Number(groups?.second)];
    if (groups?.command === 'M') [x, y] = [first, Math.floor(second)];
    else if (groups?.command === 'm') x += first;
    else for (const end = x + first; x < end; x++) paint(x, y);
  }
  return decode({ width: side, height: side, data });
}
