import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import { Card } from '../../components/Card';
import { PostForm, Submit } from '../../components/forms/Form';

type Props = {
  done: number;
  of: number;
  /** The results for the rows so far, for the next request. */
  before: string;
  children: ReactNode;
};

export function ImportProgress({ done, of, before, children }: Props) {
  const { t, i18n } = useLingui();
  const next = useRef<HTMLDivElement>(null);
  useEffect(() => next.current?.querySelector('button')?.click(), []);
  const [doneRows, allRows] = [i18n.number(done), i18n.number(of)];
  return (
    <Card title={t`4. On the way`}>
      <p role="status">{t`${doneRows} of ${allRows} rows are done. Nobody is mailed.`}</p>
      <progress className="w-full" aria-label={t`How far it is`} value={done} max={of} />
      <PostForm reloadDocument encType="multipart/form-data" className="grid gap-3">
        {children}
        <input type="hidden" name="done" value={done} />
        <input type="hidden" name="before" value={before} />
        <div ref={next}>
          <Submit name="intent" value="import">
            <Trans>Go on with the next rows</Trans>
          </Submit>
        </div>
      </PostForm>
    </Card>
  );
}
