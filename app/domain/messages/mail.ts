export type Mail = {
  /** Becomes the Message-ID: the same for every try, so that a second copy is recognised. */
  id: string;
  to: string;
  /** The address for answers, if not the sender's. */
  replyTo?: { name: string; address: string } | null;
  subject: string;
  text: string;
  html: string;
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; content: string };
  /** The link that ends this kind of mail: a page for people, a POST for their mail program (RFC 8058). */
  unsubscribe?: string | null;
};

export type Sender = { name: string; address: string };

/**
 * A mail is tried again unless the server refuses it for good. `reason` is for the operator, without text of the mail.
 */
export type Failure = {
  isSent: false;
  isFinal: boolean;
  /** No mail at all can leave. */
  isUnreachable?: boolean;
  /** The connection broke before its turn. */
  isUntried?: boolean;
  reason: string;
};
export type Outcome = { isSent: true } | Failure;

/**
 * Sends mails that are due together.
 * @returns the outcome of each, in their order, as soon as it is known; never rejected, because a failure is an outcome
 */
export type Transport = (mails: readonly Mail[]) => Promise<Outcome>[];

/** Sends mails side by side. @param send one of them */
export const eachAlone =
  (send: (mail: Mail) => Promise<Outcome>): Transport =>
  (mails) =>
    mails.map(send);

/** For one try, in milliseconds. */
export const sendTimeout = 20_000;
