/** An e-mail to one person, before it is written as MIME. */
export type Mail = {
  /** Becomes the Message-ID: the same for every try, so that a second copy is recognised. */
  id: string;
  to: string;
  /** The address for answers, if not the sender's. */
  replyTo?: { name: string; address: string } | null;
  subject: string;
  /** The same words twice: as plain text and as HTML. */
  text: string;
  html: string;
  /** For the reader's calendar. */
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; content: string };
  /** The link that ends this kind of mail: a page for people, a POST for their mail program (RFC 8058). */
  unsubscribe?: string | null;
};

/** The parts of MAIL_FROM: `Daybook <book@example.org>`. */
export type Sender = { name: string; address: string };

/**
 * The result of one try. A mail server that refuses for good is not asked again; one that refuses for now, or can't be
 * reached, is. `reason` is for the operator: it never holds the text of the mail.
 */
export type Outcome =
  | { isSent: true }
  | {
      isSent: false;
      isFinal: boolean;
      /** No mail at all can leave now: the server does not answer, or refuses the login. */
      isUnreachable?: boolean;
      reason: string;
    };

/** Sends a mail. It never throws: a failure is an outcome. */
export type Transport = (mail: Mail) => Promise<Outcome>;

/** For one try, in milliseconds. */
export const sendTimeout = 20_000;
