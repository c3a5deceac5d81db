import { Button } from '../../components/Button';
import { Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { TextField } from '../../components/forms/Field';
import type { AskedTime, Why } from '../../domain/hours/why';
import { dateWords } from '../../domain/time/clock';
import * as paths from '../../paths';

export function WhyNot({ asked, why }: { asked: AskedTime | null; why: Why | null }) {
  return (
    <Fold summary="Why is this time not offered?" isOpen={asked !== null}>
      <div className="grid gap-4 py-2">
        <form method="get" action={paths.hours()} className="grid gap-4 sm:grid-cols-[1fr_1fr_auto] sm:items-end">
          <TextField name="date" label="Date" type="date" required defaultValue={asked?.date} />
          <TextField name="time" label="Time" type="time" required defaultValue={asked?.time} />
          <Button quiet>Tell me why</Button>
        </form>
        {asked && why && (
          <Notice tone="warn" title={why.short}>
            <p>
              {`${dateWords(asked.date).full}: `}
              {why.more}
            </p>
          </Notice>
        )}
      </div>
    </Fold>
  );
}
