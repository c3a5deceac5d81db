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
export type Outcome =
  | { isSent: true }
  | {
      isSent: false;
      isFinal: boolean;
      /** No mail at all can leave. */
      isUnreachable?: boolean;
      reason: string;
    };

/** Never throws: a failure is an outcome. */
export type Transport = (mail: Mail) => Promise<Outcome>;

/** For one try, in milliseconds. */
export const sendTimeout = 20_000;
