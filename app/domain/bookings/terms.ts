import { type Instant, minute } from '../time/clock';

/** How long a service takes, what it costs and what of it is asked for in advance, as a form said it. A blank is none. */
export type Terms = { minutes: number; price: string; deposit?: string };

type TermsOf = { startsAt: Instant; endsAt: Instant; service: { price: string | null; deposit: string | null } };

export const termsOf = ({ service: { price, deposit }, startsAt, endsAt }: TermsOf): Required<Terms> => ({
  minutes: (endsAt - startsAt) / minute,
  price: price ?? '',
  deposit: deposit ?? '',
});

/** The terms for a form: '30 25 €', then a tab and the deposit. */
export function termsText(shown: TermsOf): string {
  const { minutes, price, deposit } = termsOf(shown);
  return `${minutes} ${price}\t${deposit}`;
}
