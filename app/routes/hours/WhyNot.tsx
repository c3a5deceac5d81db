import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../components/Button';
import { Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { TextField } from '../../components/forms/Field';
import { GetForm } from '../../components/forms/GetForm';
import { useBookPaths } from '../../components/frame/book-paths';
import { useWords } from '../../components/words';
import type { AskedTime, Why } from '../../domain/hours/why';
import { dateWords } from '../../domain/time/clock';

export function WhyNot({ asked, why }: { asked: AskedTime | null; why: Why | null }) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  return (
    <Fold summary={t`Why is this time not offered?`} isOpen={asked !== null}>
      <div className="grid gap-4 py-2">
        <GetForm reloadDocument action={desk.hours()} className="grid gap-4 sm:grid-cols-[1fr_1fr_auto] sm:items-end">
          <TextField name="date" label={t`Date`} type="date" required defaultValue={asked?.date} />
          <TextField name="time" label={t`Time`} type="time" required defaultValue={asked?.time} />
          <Button quiet>
            <Trans>Tell me why</Trans>
          </Button>
        </GetForm>
        {asked && why && (
          <Because date={words(dateWords(asked.date).full)} short={words(why.short)} more={words(why.more)} />
        )}
      </div>
    </Fold>
  );
}

const Because = ({ date, short, more }: { date: string; short: string; more: string }) => (
  <Notice tone="warn" title={short}>
    <p>
      <Trans>
        {date}: {more}
      </Trans>
    </p>
  </Notice>
);
