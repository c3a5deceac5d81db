import { msg } from '@lingui/core/macro';
import type { Role } from '../../domain/profile/accounts';
import type { Words } from '../../domain/words/words';

/** What people read for a role. */
export const roleWords: Record<Role, Words> = { Consumer: msg`Consumer`, Provider: msg`Provider` };
