/** One e-mail to one person, before it is written as MIME. */
export type Mail = {
  /** Stays the same for every try, so that a message which arrives twice is recognised. Becomes the Message-ID. */
  id: string;
  to: string;
  subject: string;
  /** The same words twice: as plain text and as HTML. */
  text: string;
  html: string;
  /** A calendar entry that the reader's calendar takes over. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string };
  /** An address that ends this kind of mail: a page for people, a POST for their mail program (RFC 8058). */
  unsubscribe?: string | null;
};

/** Who the mail is from: `Daybook <book@example.org>`, as MAIL_FROM has it. */
export type Sender = { name: string; address: string };

/**
 * What became of one try. A mail server that refuses for good is not asked again; one that refuses for now, or can't be
 * reached, is. `reason` is for the operator: it never holds the text of the mail.
 */
export type Outcome =
  | { isSent: true }
  | {
      isSent: false;
      isFinal: boolean;
      /** No mail at all can leave now: nobody is there, or nobody lets us in. */
      isUnreachable?: boolean;
      reason: string;
    };

/** One way for mail to leave. It never throws: a failure is an outcome. */
export type Transport = (mail: Mail) => Promise<Outcome>;

/** How long one try may take, in milliseconds. */
export const patience = 20_000;
