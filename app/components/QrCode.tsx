import { encode } from 'uqr';

/** A link as a QR code, dark on light whatever the scheme, because cameras want it so. */
export function QrCode({ link }: { link: string }) {
  const { data, size } = encode(link, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" className="size-44 rounded-md" shapeRendering="crispEdges">
      <title>QR code of the link</title>
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
