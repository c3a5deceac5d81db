import * as paths from '../../../paths';
import type { Words } from '../../words/words';
import { type KindWith, type NoData, noData } from './kind';
import { openDaybook } from './words';

type AboutAccount = Pick<KindWith<NoData>, 'mail' | 'keyedLink'> & {
  mails: Words;
  sentence: Words;
  mailSubject: Words;
  button?: Words;
};

/** Mail that keeps an account safe, which nobody can switch off. */
export const aboutAccount = ({
  mails,
  sentence,
  mailSubject,
  button = openDaybook,
  mail = {},
  keyedLink,
}: AboutAccount): KindWith<NoData> => ({
  mails,
  switchedOffBy: 'nobody',
  mail,
  data: noData,
  sentence: () => sentence,
  mailSubject: () => mailSubject,
  link: () => paths.profile(),
  ...(keyedLink && { keyedLink }),
  button: () => button,
});
