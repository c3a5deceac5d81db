import { encode } from 'uqr';

/** A link as a QR code. It is dark on light in each colour scheme, because cameras need that. */
export function QrCode({ link }: { link: string }) {
  // Cameras read any mask. Trying all eight for the prettiest takes as long as rendering the rest of the screen.
  const { data, size } = encode(link, { border: 2, maskPattern: 0 });
  const runs = (row: boolean[]) => row.map(Number).join('').matchAll(/1+/g);
  const path = data
    .flatMap((row, y) => [...runs(row)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`))
    .join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" className="size-44 rounded-md" shapeRendering="crispEdges">
      <title>QR code of the link</title>
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
