import { useLingui } from '@lingui/react/macro';
import { Chips } from '../../components/forms/Chips';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { hookKinds, kindWords } from '../../domain/webhooks/kinds';

/** What a program is told of. */
export function KindChips({ chosen, refused }: { chosen: readonly string[]; refused?: Refusal }) {
  const { t } = useLingui();
  const words = useWords();
  return (
    <Chips
      isMany
      name="kinds"
      label={t`What it is told of`}
      help={t`Whoever did it: you, a client or a guest.`}
      chosen={[...chosen]}
      refused={refused}
      chips={hookKinds.map((kind) => ({ value: kind, words: words(kindWords[kind]) }))}
    />
  );
}

/** The kinds that a form has ticked. Its first field is empty, and says that there are others. */
export const kindsIn = (kinds: string[] = []): string[] => kinds.filter((kind) => kind !== '');
