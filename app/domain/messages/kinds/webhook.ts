import { msg } from '@lingui/core/macro';
import * as paths from '../../../paths';
import type { Words } from '../../words/words';
import type { KindWith } from './kind';
import { openDaybook } from './words';

type What = 'failing' | 'given-up' | 'gone';
type AboutWebhook = { what: What; host: string };

const sentences: Record<What, (host: string) => Words> = {
  failing: (host) => msg`Your program at ${host} does not take what we send. We try again for two days.`,
  'given-up': (host) =>
    msg`We have tried for two days to reach your program at ${host}, and gave up something. You can send it again.`,
  gone: (host) => msg`Your program at ${host} says that it is gone, so its webhook was ended.`,
};

export const webhook: KindWith<AboutWebhook> = {
  mails: msg`about webhooks that fail`,
  switchedOffBy: 'hosts',
  data: ({ what = 'failing', host = '' }: Partial<AboutWebhook>) => ({ what, host }),
  sentence: ({ data: { what, host } }) => sentences[what](host),
  link: () => paths.webhooks(),
  mailSubject: () => msg`A webhook of yours fails`,
  button: () => openDaybook,
};
