import { msg } from '@lingui/core/macro';
import * as paths from '../../../paths';
import { type ShopRole, shopRoleWords } from '../../shop/colleagues';
import type { KindWith } from './kind';
import { hostName } from './words';

type JoinShop = { shop: string; role: ShopRole };

/** A mail to somebody whom an owner invites into a shop, with the link. They end the mail of that owner, and not of a kind. */
export const joinShop: KindWith<JoinShop> = {
  mails: msg`from this sender`,
  switchedOffBy: 'nobody',
  mail: { isInvitation: true },
  isFromHost: true,
  data: (stored) => {
    const { shop, role } = stored as JoinShop;
    return { shop, role };
  },
  sentence(message) {
    const { shop } = message.data;
    const [host, role] = [hostName(message), shopRoleWords[message.data.role]];
    return msg`${host} invites you to work under the name ${shop}, with a book of your own. Your role there: ${role}. The link is good for 14 days, and once.`;
  },
  link: () => paths.home(),
  keyedLink: (_, links) => links.joinShop(),
  mailSubject(message) {
    const { shop } = message.data;
    const host = hostName(message);
    return msg`An invitation of ${host}: ${shop}`;
  },
  button: () => msg`See the invitation`,
  isOver: (_, { canJoin }) => !canJoin,
};
