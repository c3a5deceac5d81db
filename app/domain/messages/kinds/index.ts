import { answers } from './answers';
import { booked } from './booked';
import { calledOff } from './called-off';
import { canceled } from './canceled';
import { changed } from './changed';
import { confirmEmail } from './confirm-email';
import { email } from './email';
import { factorOff } from './factor-off';
import { factorOn } from './factor-on';
import { invited } from './invited';
import { joinShop } from './join-shop';
import { key } from './key';
import { missed } from './missed';
import { moved } from './moved';
import { offer } from './offer';
import { overlap } from './overlap';
import { ownRsvp } from './own-rsvp';
import { password } from './password';
import { reminder } from './reminder';
import { resetPassword } from './reset-password';
import { rsvps } from './rsvps';
import { undelivered } from './undelivered';
import { unreadCalendar } from './unread-calendar';
import { webhook } from './webhook';
import { wish } from './wish';

/** Every kind of message, in the order in which the settings list them. */
export const registry = {
  booked,
  moved,
  canceled,
  answers,
  rsvps,
  // By the word for an RSVP that is in stored rows; `answers` are those to the questions of an appointment.
  answered: ownRsvp,
  changed,
  'called-off': calledOff,
  invited,
  'join-shop': joinShop,
  reminder,
  wish,
  offer,
  undelivered,
  overlap,
  missed,
  'unread-calendar': unreadCalendar,
  webhook,
  password,
  email,
  'factor-on': factorOn,
  'factor-off': factorOff,
  key,
  'confirm-email': confirmEmail,
  'reset-password': resetPassword,
};
