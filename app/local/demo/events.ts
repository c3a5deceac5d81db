import type { Db } from '../../../db/client';
import { rsvpByLink } from '../../domain/parties/attendees.server';
import { createMeetup, createParty } from '../../domain/parties/hosting.server';
import { rsvpToParty } from '../../domain/parties/rsvps.server';
import type { Actor } from '../../domain/profile/accounts';
import { questionType } from '../../domain/templates/questions';
import type { TemplateDraft } from '../../domain/templates/templates';
import { createTemplate } from '../../domain/templates/templates.server';
import { addDays, type Instant } from '../../domain/time/clock';
import { todayIn } from '../../domain/time/zones';

const dinner: TemplateDraft = {
  displayName: 'Dinner',
  questions: [
    {
      questionText: 'What may we cook for you?',
      questionType: questionType.singleChoice,
      options: ['Fish', 'Meat', 'Vegetables'],
      required: true,
    },
    {
      questionText: 'Anything you must not eat?',
      questionType: questionType.openEnded,
      options: null,
      required: false,
    },
  ],
};

/** For each invited person the dish and the plus-ones; null for a no. */
const replies: ({ dish: string; plusOnes: number } | null)[] = [
  { dish: 'Vegetables', plusOnes: 1 },
  { dish: 'Fish', plusOnes: 0 },
  null,
  { dish: 'Fish', plusOnes: 2 },
];
const names = ['Bruno Alves', 'Carla Nunes', 'Duarte Lima', 'Inês Prata', 'Zé Moreira'];

type Book = { db: Db; host: Actor; invitees: Actor[]; now: Instant };

export async function seedEvents({ db, host, invitees, now }: Book): Promise<void> {
  const once = { now, key: 'demo' };
  const ahead = (days: number) => addDays(todayIn(host.timeZone, now), days);
  const { id: templateId } = await createTemplate(db, host, dinner, { now, key: 'demo dinner' });
  const party = await createParty(
    db,
    host,
    {
      title: 'Ten years of Atelier Sousa',
      description: 'The chairs are pushed aside for one night. Music from nine, and something warm to eat.',
      date: ahead(12),
      startTime: '19:30',
      endTime: '01:00',
      address: 'Rua da Rosa 112, Lisboa',
      locationUrl: null,
      templateId,
      capacity: 40,
      rsvpBy: ahead(10),
      plusOnes: 2,
      hideGoing: false,
      openTo: 'anyone',
      showOnPage: true,
    },
    once,
  );
  for (const [place, reply] of replies.entries()) {
    const rsvp = { id: party.id, accepted: reply !== null, guests: reply?.plusOnes ?? 0 };
    const answers = reply ? [{ question: 'What may we cook for you?', answer: reply.dish }] : [];
    await rsvpToParty(db, invitees[place] as Actor, rsvp, () => answers, now);
  }
  const meetup = await createMeetup(
    db,
    host,
    {
      title: 'Breakfast of the barbers',
      description: 'Who takes which days next month?',
      date: ahead(5),
      startTime: '08:00',
      endTime: '09:30',
      address: 'Pastelaria Zenith, Lisboa',
      locationUrl: null,
      attendees: names.map((name) => ({ name, email: null })),
    },
    once,
  );
  for (const [place, { id }] of meetup.invitations.slice(0, -1).entries()) {
    await rsvpByLink(db, { id, accepted: place !== 1 }, now);
  }
}
