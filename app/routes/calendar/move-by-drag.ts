import { useNavigate } from '@remix-run/react';
import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { useBookPaths } from '../../components/frame/book-paths';

// In pixels: a hand may shake so far during a click.
const least = 6;

const idAt = (element: Element | null, what: 'booking' | 'free') =>
  element?.closest<SVGElement>(`[data-${what}]`)?.dataset[what];

/** Lets a mouse drag a booking onto a free time. That leads to the form that moves the booking there. */
export function useMoveByDrag() {
  const navigate = useNavigate();
  const desk = useBookPaths();
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
      // Otherwise the mouse would select the words that it passes.
      if (current.isMoving) getSelection()?.removeAllRanges();
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      const free = idAt(document.elementFromPoint(clientX, clientY), 'free');
      if (drag.current?.isMoving && free) navigate(desk.moveTo(drag.current.booking, free));
    },
    // Prevents the browser from dragging the link itself.
    onDragStart: (event: MouseEvent) => event.preventDefault(),
    onClickCapture(event: MouseEvent) {
      if (drag.current?.isMoving) event.preventDefault();
      drag.current = null;
    },
  };
}
