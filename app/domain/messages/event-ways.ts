import { reasonWords, type Way } from './ways';

/** People to call: how many, and the first of them. */
export type Untold = { count: number; named: { name: string; phone: string | null }[] };

/** How many guests hear of a change by each way. */
export type EventWays = Record<'mail' | 'bare' | 'news', number> & Record<'call' | 'blocked', Untold>;

const people = (count: number) => (count === 1 ? 'one person' : `${count} people`);
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function untoldWords({ count, named }: Untold, [one, many]: [string, string]): string {
  const names = named.map(({ name, phone }) => (phone ? `${name} (${phone})` : name));
  const more = count - names.length;
  const listed = [...names, ...(more > 0 ? [`${more} more`] : [])];
  const last = listed.at(-1);
  const list = listed.length > 1 ? `${listed.slice(0, -1).join(', ')} and ${last}` : last;
  return `${list} ${count === 1 ? one : many}: please call.`;
}

/** '3 people are told by mail, and one person reads it in their news. Zoë (555 01) has no e-mail: please call.' */
export function eventWaysWords({ mail, bare, news, call, blocked }: EventWays, withReason: boolean): string {
  const mailed = mail + bare;
  if (mailed + news + call.count + blocked.count === 0) return 'Nobody is coming so far, so nobody is told.';
  const counts = [
    mailed > 0 && `${people(mailed)} ${mailed === 1 ? 'is' : 'are'} told by mail`,
    news > 0 && `${people(news)} ${news === 1 ? 'reads' : 'read'} it in their news, and by mail where they want that`,
  ].filter(Boolean);
  const reason = withReason ? reasonWords(bare > 0 ? 'bare' : 'mail') : '';
  return [
    counts.length > 0 && `${upper(counts.join('; '))}${reason}.`,
    call.count > 0 && untoldWords(call, ['has no e-mail here', 'have no e-mail here']),
    blocked.count > 0 && untoldWords(blocked, ['gets no mail', 'get no mail']),
  ]
    .filter(Boolean)
    .join(' ');
}

type Counted = { way: Way; count: number; named: Untold['named'] };

export function eventWaysOf(rows: Counted[]): EventWays {
  const by = (wanted: Way): Untold => {
    const { count, named } = rows.find(({ way }) => way === wanted) ?? { count: 0, named: [] };
    return { count, named };
  };
  const [mail, bare, news] = [by('mail').count, by('bare').count, by('news').count];
  return { mail, bare, news, call: by('call'), blocked: by('blocked') };
}
