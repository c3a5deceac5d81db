import { useLingui } from '@lingui/react/macro';

/** The dark squares as lines of an SVG path, and the number of squares along a side. */
export type QrSquares = { path: string; size: number };

/** @param title what it is a code of, where that is no link */
export function QrCode({ path, size, title }: QrSquares & { title?: string }) {
  const { t } = useLingui();
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" className="size-44 rounded-md" shapeRendering="crispEdges">
      <title>{title ?? t`QR code of the link`}</title>
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} stroke="#000" />
    </svg>
  );
}
