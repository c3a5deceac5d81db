import { encode } from 'uqr';

/** A link as a QR code, dark on light whatever the scheme, because cameras want it so. */
export function QrCode({ link }: { link: string }) {
  // Readers take any mask; trying all eight for the prettiest takes longer than the rest of the screen.
  const { data, size } = encode(link, { border: 2, maskPattern: 0 });
  const path = data.flatMap((row, y) => runs(row).map(([x, n]) => `M${x} ${y}h${n}v1h-${n}z`)).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" className="size-44 rounded-md" shapeRendering="crispEdges">
      <title>QR code of the link</title>
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Where in a row the dark runs begin, and how long they are. */
function runs(row: boolean[]): [start: number, length: number][] {
  const found: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = found.at(-1);
    if (!isDark) return;
    if (last && row[x - 1]) last[1] += 1;
    else found.push([x, 1]);
  });
  return found;
}
