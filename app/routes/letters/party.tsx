import { redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { GeneralFaults } from '../../components/Card';
import { Faults, TextField } from '../../components/Field';
import { PostForm } from '../../components/Form';
import { Letter, letterMeta } from '../../components/Letter';
import { QuestionFields } from '../../components/QuestionField';
import { useRefusal } from '../../components/refusal';
import { DomainError, notFound, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import {
  forGuests,
  type GuestsParty,
  type Invitation,
  invalidLink,
  isInvitationId,
  isTakingRsvps,
  placesLeft,
} from '../../domain/parties/parties';
import { findParty } from '../../domain/parties/parties.server';
import { partyRsvp } from '../../domain/parties/party-input';
import { rsvpToParty } from '../../domain/parties/rsvps.server';
import { answeredValues, answerField, answersFromForm, type Template } from '../../domain/templates/questions';
import { dateWords } from '../../domain/time/clock';
import { fields } from '../../http/form.server';
import { answerForm, answerPage } from '../../http/page.server';

export const handle = { isLetter: true };
export const meta: MetaFunction<typeof loader> = ({ data }) => letterMeta(data?.party);

/** The party for whoever has the link; whoever is logged in sees their own answer too. */
export const loader = answerPage('anyone', async ({ db, actor, viewer, now }, { params: { id = '' }, url }) => {
  const [found, reader] = await Promise.all([findParty(db, actor, id), viewer()]);
  if (!isInvitationId(id)) throw new DomainError('not_found', invalidLink);
  if (found?.party.kind !== 'party') throw notFound('party');
  const { party, own, template } = found;
  const left = placesLeft(party);
  return {
    party: forGuests(party),
    isFull: left === 0,
    left: party.hideGoing ? null : left,
    own: reader ? own : null,
    template: reader ? template : null,
    isReader: reader !== null,
    isHost: reader?.accountId === party.providerId,
    isOpen: isTakingRsvps(party, now),
    isOver: party.endsAt <= now,
    step: url.searchParams.get('step'),
  };
});

export const action = answerForm('member', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  const rsvp = parse(partyRsvp, { ...fields(typed), id });
  await rsvpToParty(db, actor, rsvp, (questions) => answersFromForm(questions, typed), now);
  return redirect(`/?rsvp=${id}`, 303);
});

export default function PartyLetter() {
  const { party, own, template, isReader, isHost, isOpen, isOver, isFull, left, step } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const isRoomSaid = refused?.faults.some(({ field }) => field === null);
  return (
    <Letter
      party={party}
      greeting={
        <>
          <strong>{party.providerName}</strong> would love to see you.
        </>
      }
    >
      <GeneralFaults refused={refused} />
      {isHost ? (
        <Host party={party} />
      ) : (
        <>
          {own && <OwnRsvp party={party} own={own} />}
          {isOpen && !isReader && <LogInFirst id={party.id} />}
          {isOpen && isReader && (
            <>
              {!isRoomSaid && <Room isFull={isFull && !own?.accepted} left={left} />}
              <RsvpForm party={party} own={own} template={template} refused={refused} isAsking={step === 'questions'} />
            </>
          )}
          {!isOpen && <Closed party={party} isOver={isOver} />}
        </>
      )}
    </Letter>
  );
}

function Host({ party }: { party: GuestsParty }) {
  return (
    <div className="grid justify-items-center gap-3">
      <p className="text-muted">This is your own party, as your guests see it.</p>
      <ButtonLink to={`/view-party/${party.id}`}>Who is coming</ButtonLink>
    </div>
  );
}

function Closed({ party, isOver }: { party: GuestsParty; isOver: boolean }) {
  return (
    <p className="text-muted">
      {isOver || !party.rsvpBy ? 'This party is over.' : `Answers were welcome until ${dateWords(party.rsvpBy).full}.`}
    </p>
  );
}

function OwnRsvp({ party, own }: { party: GuestsParty; own: Invitation }) {
  if (!own.accepted) return <p className="font-semibold text-accent">You said no. You can change your mind below.</p>;
  return (
    <div className="grid justify-items-center gap-3">
      <p className="font-semibold text-good">You are going{own.plusOnes > 0 && `, and bring ${own.plusOnes} more`}.</p>
      <ButtonLink quiet isFile to={`/party/${party.id}/daybook.ics`}>
        Add to calendar
      </ButtonLink>
    </div>
  );
}

/** Whoever is not logged in reads the party and logs in on the same page; both ways lead straight back here. */
function LogInFirst({ id }: { id: string }) {
  const to = encodeURIComponent(`/party/${id}`);
  return (
    <section aria-labelledby="log-in" className="grid gap-4 text-left">
      <h3 id="log-in" className="text-lg">
        Log in to answer
      </h3>
      <PostForm action={`/login?to=${to}`} className="grid gap-4">
        <TextField name="username" label="Username" autoComplete="username" autoCapitalize="none" required />
        <TextField name="password" type="password" label="Password" autoComplete="current-password" required />
        <div className="flex flex-wrap items-center gap-4">
          <Button>Log in</Button>
          <span>
            New here? <TextLink to={`/register?to=${to}`}>Register</TextLink>
          </span>
        </div>
      </PostForm>
    </section>
  );
}

/** Whether there is room, where it is getting scarce. */
function Room({ isFull, left }: { isFull: boolean; left: number | null }) {
  if (isFull) return <p className="font-semibold text-accent">This party is full.</p>;
  if (left === null || left === 0 || left > 10) return null;
  return <p className="text-sm text-muted">{left === 1 ? 'One place is left.' : `${left} places are left.`}</p>;
}

type RsvpFormProps = {
  party: GuestsParty;
  own: Invitation | null;
  template: Template | null;
  refused: Refusal | undefined;
  isAsking: boolean;
};

/** Step 1 is the RSVP itself; where the party asks questions, it leads to them, and the RSVP follows them. */
function RsvpForm({ party, own, template, refused, isAsking }: RsvpFormProps) {
  const hasQuestions = template !== null && template.questions.length > 0;
  const isForm = isAsking || refused !== undefined || !hasQuestions;
  const yes = own?.accepted ? 'Save my answer' : 'RSVP';
  return (
    <>
      {isForm ? (
        <PostForm className="grid gap-5 text-left">
          {hasQuestions && (
            <QuestionFields
              questions={template.questions}
              valuesOf={(question) =>
                refused ? (refused.typed[answerField(question)] ?? []) : answeredValues(question, own?.answers ?? [])
              }
              faults={refused?.faults.filter(({ field }) => field !== null && field !== 'guests') ?? []}
            />
          )}
          {party.plusOnes > 0 && (
            <TextField
              name="guests"
              label="How many do you bring?"
              type="number"
              inputMode="numeric"
              min={0}
              max={party.plusOnes}
              defaultValue={own?.plusOnes ?? 0}
              help={`Up to ${party.plusOnes}.`}
              refused={refused}
            />
          )}
          <Faults
            faults={party.plusOnes > 0 ? [] : (refused?.faults.filter(({ field }) => field === 'guests') ?? [])}
          />
          <div className="flex flex-wrap justify-center gap-3">
            <Button name="accepted" value="true">
              {yes}
            </Button>
            {own?.accepted !== false && (
              <Button quiet name="accepted" value="false">
                I can't come
              </Button>
            )}
          </div>
        </PostForm>
      ) : (
        <div className="flex flex-wrap justify-center gap-3">
          <ButtonLink to={`/party/${party.id}?step=questions`}>
            {own?.accepted ? 'Change my answer' : 'RSVP'}
          </ButtonLink>
          {own?.accepted !== false && (
            <PostForm>
              <Button quiet name="accepted" value="false">
                I can't come
              </Button>
            </PostForm>
          )}
        </div>
      )}
    </>
  );
}
