import type { Way } from './ways';

/** Counts of the guests who hear of a change by mail, in their news or not at all, and names of some of the last. */
export type EventWays = Record<Exclude<Way, 'blocked'>, number> & { untold: { name: string; phone: string | null }[] };

const people = (count: number) => (count === 1 ? 'one person' : `${count} people`);
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** '3 people are told by mail, and one person reads it in their news. Zoë (555 01) has no e-mail: please call.' */
export function eventWaysWords({ mail, news, call, untold }: EventWays, withReason: boolean): string {
  if (mail + news + call === 0) return 'Nobody is coming so far, so nobody is told.';
  const counts = [
    mail > 0 && `${people(mail)} ${mail === 1 ? 'is' : 'are'} told by mail`,
    news > 0 && `${people(news)} ${news === 1 ? 'reads' : 'read'} it in their news, and by mail where they want that`,
  ].filter(Boolean);
  const sentence = counts.length > 0 ? `${upper(counts.join('; '))}${withReason ? ', with your reason' : ''}.` : '';
  const names = untold.map(({ name, phone }) => (phone ? `${name} (${phone})` : name));
  const more = call - names.length;
  const listed = [...names, ...(more > 0 ? [`${more} more`] : [])];
  const last = listed.at(-1);
  const list = listed.length > 1 ? `${listed.slice(0, -1).join(', ')} and ${last}` : last;
  return [sentence, call > 0 && `${list} ${call === 1 ? 'has' : 'have'} no e-mail here: please call.`]
    .filter(Boolean)
    .join(' ');
}
