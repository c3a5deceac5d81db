/** How somebody hears of a change. `call`: they have no address. `blocked`: their address gets no mail. */
export type Way = 'mail' | 'news' | 'call' | 'blocked';

/** How each side of a booking hears of what the other does, and how the booker hears of the booking itself. */
export type Ways = { toBooker: Way; bookedWay: Way; toProvider: Way; bookerEmail: string | null };

/** A text beside a button that tells somebody: 'Gus is told by mail', 'Gus has no e-mail: please call 555 01'. */
export function wayWords(name: string, way: Way, phone: string | null = null): string {
  if (way === 'mail') return `${name} is told by mail`;
  if (way === 'news') return `${name} reads it in their news`;
  return `${name} ${way === 'call' ? 'has no e-mail' : 'gets no mail'}: please call${phone ? ` ${phone}` : ''}`;
}
