import { msg, plural } from '@lingui/core/macro';
import { inARow, withCommas } from '../words/joined';
import type { Words } from '../words/words';
import { reasonAtLink, type Way } from './ways';

/** People to call: how many, and the first of them. */
export type Untold = { count: number; named: { name: string; phone: string | null }[] };

/** How many guests hear of a change by each way. */
export type EventWays = Record<'mail' | 'bare' | 'news', number> & Record<'call' | 'blocked', Untold>;

/** 'Zoë (555 01), Ben and 7 more'. */
function listWords({ count, named }: Untold): Words {
  const listed = named.map(({ name, phone }) => (phone ? `${name} (${phone})` : name));
  const more = count - listed.length;
  if (more <= 0) return { list: listed };
  const names = withCommas(listed);
  return names ? msg`${names} and ${plural({ more }, { one: '# more', other: '# more' })}` : String(more);
}

function callWords(call: Untold): Words {
  const [people, { count }] = [listWords(call), call];
  return msg`${people} ${plural({ count }, { one: 'has no e-mail here', other: 'have no e-mail here' })}: please call.`;
}

function blockedWords(blocked: Untold): Words {
  const [people, { count }] = [listWords(blocked), blocked];
  return msg`${people} ${plural({ count }, { one: 'gets no mail', other: 'get no mail' })}: please call.`;
}

function toldWords(mailed: number, news: number, withReason: boolean): Words {
  if (mailed === 0) {
    return withReason
      ? msg`${plural({ news }, { one: 'One person reads it in their news, and by mail where they want that', other: '# people read it in their news, and by mail where they want that' })}, with your reason.`
      : msg`${plural({ news }, { one: 'One person reads it in their news, and by mail where they want that', other: '# people read it in their news, and by mail where they want that' })}.`;
  }
  if (news === 0) {
    return withReason
      ? msg`${plural({ mailed }, { one: 'One person is told by mail', other: '# people are told by mail' })}, with your reason.`
      : msg`${plural({ mailed }, { one: 'One person is told by mail', other: '# people are told by mail' })}.`;
  }
  return withReason
    ? msg`${plural({ mailed }, { one: 'One person is told by mail', other: '# people are told by mail' })}; ${plural({ news }, { one: 'one person reads it in their news, and by mail where they want that', other: '# people read it in their news, and by mail where they want that' })}, with your reason.`
    : msg`${plural({ mailed }, { one: 'One person is told by mail', other: '# people are told by mail' })}; ${plural({ news }, { one: 'one person reads it in their news, and by mail where they want that', other: '# people read it in their news, and by mail where they want that' })}.`;
}

/** '3 people are told by mail; one person reads it in their news. Zoë (555 01) has no e-mail here: please call.' */
export function eventWaysWords({ mail, bare, news, call, blocked }: EventWays, withReason: boolean): Words {
  const mailed = mail + bare;
  if (mailed + news + call.count + blocked.count === 0) return msg`Nobody is coming so far, so nobody is told.`;
  return inARow([
    ...(mailed + news > 0 ? [toldWords(mailed, news, withReason && bare === 0)] : []),
    ...(mailed + news > 0 && withReason && bare > 0 ? [reasonAtLink] : []),
    ...(call.count > 0 ? [callWords(call)] : []),
    ...(blocked.count > 0 ? [blockedWords(blocked)] : []),
  ]);
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
