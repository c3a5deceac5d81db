/** The dark squares as an SVG path, and how many squares a side has. */
export type QrSquares = { path: string; size: number };

/** A link as a QR code. It is dark on light in each colour scheme, because cameras need that. */
export const QrCode = ({ path, size }: QrSquares) => (
  <svg viewBox={`0 0 ${size} ${size}`} role="img" className="size-44 rounded-md" shapeRendering="crispEdges">
    <title>QR code of the link</title>
    <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
    <path d={path} fill="#000" />
  </svg>
);
