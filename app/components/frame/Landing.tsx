import { status } from '../../domain/bookings/status';
import * as paths from '../../paths';
import { ButtonLink, TextLink } from '../Button';
import { Card } from '../Card';
import { Fold } from '../Fold';
import { StatusBadge } from '../times/AppointmentLine';
import { Leaf } from '../times/Time';
import { Page } from './Page';

const adverbs = ['effortlessly', 'instantly', 'reliably', 'anywhere'];

const reasons = [
  {
    title: 'Easy to use',
    words:
      'Three taps from opening a page to a booked time. It works with scripts off, on an old phone and on a train.',
  },
  {
    title: 'Completely free',
    words: 'No trial, no tiers, no card. Book or be booked as often as you like.',
  },
  {
    title: 'Rapid updates',
    words: 'A time that is taken is gone for everyone at that moment, so nobody is ever booked twice.',
  },
];

const day = [
  { who: 'Maya Lindqvist', when: '09:00 · 30\u00a0minutes', isBooked: true },
  { who: 'Tomás Reis', when: '09:30 · 30\u00a0minutes', isBooked: true },
  { who: 'Free', when: '10:00 · 30\u00a0minutes', isBooked: false },
];

export function Landing() {
  return (
    <Page title="Daybook" subtitle="Time, well kept">
      <div className="hero grid items-center gap-10 py-4 lg:grid-cols-2 lg:py-10">
        <section className="grid gap-6">
          <h2 className="text-hero">
            Book people’s time{' '}
            <em className="adverbs text-accent">
              {adverbs.map((adverb, place) => (
                <span key={adverb} aria-hidden={place > 0}>
                  {`${adverb}.`}
                </span>
              ))}
            </em>
          </h2>
          <p className="max-w-xl text-lg text-muted">
            Appointments, parties and meetups on any phone, with any connection. No app and nothing to install.
          </p>
          <div className="flex flex-wrap gap-3">
            <span className="pulses inline-flex">
              <ButtonLink to={paths.register()}>Register Now</ButtonLink>
            </span>
            <ButtonLink quiet to={paths.login()}>
              Log in
            </ButtonLink>
          </div>
          <label className="motion-control flex min-h-11 w-fit cursor-pointer items-center gap-2 text-sm text-muted">
            <input type="checkbox" className="pause size-5 shrink-0 accent-accent" /> Pause the motion
          </label>
        </section>
        <aside aria-label="A day in the book" className="lg:rotate-1">
          <Card title="Tuesday, all day">
            <ul>
              {day.map(({ who, when, isBooked }) => (
                <li
                  key={when}
                  className="flex items-center gap-4 border-b border-dashed border-rule py-3 last:border-0"
                >
                  <Leaf date="2026-12-01" hidesYear />
                  <div className="flex-1">
                    <p className="font-semibold">{who}</p>
                    <p className="text-sm text-muted">{when}</p>
                  </div>
                  {isBooked && <StatusBadge status={status.booked} />}
                </li>
              ))}
            </ul>
          </Card>
        </aside>
      </div>
      <section className="grid gap-2">
        <h2 className="text-2xl">Why choose us</h2>
        {reasons.map(({ title, words }, place) => (
          <Fold key={title} summary={title} isOpen={place === 0} className="border-b border-rule py-3">
            <p className="max-w-2xl pb-2 text-muted">{words}</p>
          </Fold>
        ))}
      </section>
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
        <span>
          Somebody booked for you? <TextLink to={paths.paperCode()}>Type the code from your slip of paper</TextLink>
        </span>
        <TextLink to={paths.accessibility()}>Accessibility</TextLink>
      </p>
    </Page>
  );
}
