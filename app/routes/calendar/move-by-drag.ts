import { useNavigate } from '@remix-run/react';
import { type MouseEvent, type PointerEvent, useRef } from 'react';
import * as paths from '../../paths';

// A click may shake by so many pixels.
const least = 6;

const idAt = (element: Element | null, what: 'booking' | 'free') =>
  element?.closest<SVGElement>(`[data-${what}]`)?.dataset[what];

/** With a mouse a booking can be dragged onto a free time, which leads to the form that moves it there. */
export function useMoveByDrag() {
  const navigate = useNavigate();
  const drag = useRef<{ booking: string; x: number; y: number; isMoving: boolean } | null>(null);
  return {
    onPointerDown({ target, pointerType, button, clientX: x, clientY: y }: PointerEvent) {
      const booking = pointerType === 'mouse' && button === 0 ? idAt(target as Element, 'booking') : undefined;
      drag.current = booking ? { booking, x, y, isMoving: false } : null;
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { current } = drag;
      if (!current) return;
      current.isMoving ||= Math.hypot(clientX - current.x, clientY - current.y) > least;
      // Else the words that the mouse passes are marked.
      if (current.isMoving) getSelection()?.removeAllRanges();
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      const free = idAt(document.elementFromPoint(clientX, clientY), 'free');
      if (drag.current?.isMoving && free) navigate(`${paths.move(drag.current.booking)}/${free}`);
    },
    // The browser's own dragging of a link would take the place of this one.
    onDragStart: (event: MouseEvent) => event.preventDefault(),
    onClickCapture(event: MouseEvent) {
      if (drag.current?.isMoving) event.preventDefault();
      drag.current = null;
    },
  };
}
