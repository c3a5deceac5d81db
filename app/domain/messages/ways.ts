/** `call`: they have no address. `blocked`: their address gets no mail. */
export type Way = 'mail' | 'news' | 'call' | 'blocked';

/** `bookedWay` is for the message that the booking was made. */
export type Ways = { toBooker: Way; bookedWay: Way; toProvider: Way; bookerEmail: string | null };

/** 'Gus is told by mail', 'Gus has no e-mail: please call 555 01'. */
export function wayWords(name: string, way: Way, phone: string | null = null): string {
  if (way === 'mail') return `${name} is told by mail`;
  if (way === 'news') return `${name} reads it in their news`;
  return `${name} ${way === 'call' ? 'has no e-mail' : 'gets no mail'}: please call${phone ? ` ${phone}` : ''}`;
}
