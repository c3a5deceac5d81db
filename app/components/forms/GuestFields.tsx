import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { HowAsked } from '../../domain/profile/rules';
import { TextField } from './Field';

type Props = {
  asked: HowAsked;
  email?: string | null;
  help?: string;
  /** The form has a button that needs no address, so the browser lets it be empty. */
  mayStayEmpty?: boolean;
  refused?: Refusal;
};

/** A client's e-mail address, if their provider or host asks for one. */
export function EmailField({ asked, email, help, mayStayEmpty = false, refused }: Props) {
  const { t } = useLingui();
  return asked === 'no' ? null : (
    <TextField
      name="email"
      type="email"
      label={t`E-mail`}
      autoComplete="email"
      maxLength={limits.email}
      defaultValue={email ?? undefined}
      isOptional={asked === 'optional'}
      required={asked === 'required' && !mayStayEmpty}
      help={help}
      refused={refused}
    />
  );
}

/** The name of a guest. */
export function NameField({ refused }: { refused?: Refusal }) {
  const { t } = useLingui();
  return (
    <TextField
      name="displayName"
      label={t`Your name`}
      autoComplete="name"
      maxLength={limits.displayName}
      required
      refused={refused}
    />
  );
}
