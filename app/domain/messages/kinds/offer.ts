import { msg } from '@lingui/core/macro';
import * as paths from '../../../paths';
import { type Instant, knownZone, type LocalDate, noZone } from '../../time/clock';
import { momentWords } from '../../time/when-words';
import type { KindWith } from './kind';
import { hostName, mailSubjectAbout, serviceAndTimeOf } from './words';

type Offer = {
  wishId: string;
  /** The free time, if it is held for nobody. */
  slotId: string | null;
  heldUntil: Instant | null;
  /** The hold has ended, because its provider needed the time. */
  isOver: boolean;
  /** Null if it is not known. */
  readerZone: string | null;
};

/** The message keeps the offered time, because its hold leaves no booking. */
type Stored = {
  wish: string;
  slot?: string;
  heldUntil?: Instant;
  isOver?: 1;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  date: LocalDate;
};

/** A time that came free for somebody who waits. */
export const offer: KindWith<Offer> = {
  mails: msg`about times that came free for you`,
  switchedOffBy: 'anyone',
  mail: { toUnconfirmed: true },
  isFromHost: true,
  data: ({ wish, slot, heldUntil, isOver }: Stored, { readerZone }) => ({
    wishId: wish,
    slotId: slot ?? null,
    heldUntil: heldUntil ?? null,
    isOver: isOver === 1,
    readerZone: knownZone(readerZone),
  }),
  ownTime: ({ wish, startsAt, endsAt, timeZone, date }: Stored) => ({ id: wish, startsAt, endsAt, timeZone, date }),
  sentence(message) {
    const { heldUntil, isOver, readerZone } = message.data;
    const [host, when] = [hostName(message), serviceAndTimeOf(message.subject)];
    if (isOver)
      return msg`The time of ${host} that was held for you, ${when}, is no longer available. You keep your place in line.`;
    if (!heldUntil) return msg`A time of ${host} has come free: ${when}. It is not held: the first to book has it.`;
    const until = momentWords(heldUntil, readerZone ?? message.subject?.timeZone ?? noZone);
    return msg`A time of ${host} has come free: ${when}. It is held for you until ${until}. Take it, or pass it on to whoever waits next.`;
  },
  link: () => paths.waitlist(),
  keyedLink({ data, subject }, links) {
    const { wishId, isOver, heldUntil, slotId } = data;
    if (!subject || isOver) return links.waiting(wishId);
    return heldUntil === null && slotId ? links.bookWith(slotId) : links.offer(wishId, subject.startsAt);
  },
  mailSubject: (message, readerZone) =>
    mailSubjectAbout(message.data.isOver ? msg`No longer held for you` : msg`Free for you`, message, readerZone),
  button: ({ data }) => (data.isOver ? msg`See your place in line` : msg`See the time`),
  isOver({ subject, data }, { booking }, now) {
    if (data.heldUntil === null) return subject !== null && subject.startsAt <= now;
    return booking === null || booking.heldUntil === null || booking.heldUntil <= now;
  },
};
