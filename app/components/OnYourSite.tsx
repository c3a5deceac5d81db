import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../domain/errors';
import { limits } from '../domain/input/limits';
import { Card } from './Card';
import { CopyField } from './CopyField';
import { Fold } from './Fold';
import { TextArea } from './forms/Field';
import { PostForm, Submit } from './forms/Form';
import type { QrSquares } from './QrCode';
import { buttonCode, frameCode, linkCode, pictureCode } from './site-code';

type Props = {
  displayName: string;
  link: string;
  qr: QrSquares;
  /** The page as another site shows it, and as this screen does. */
  frame: string;
  preview: string;
  sites: string[];
  refused?: Refusal;
};

/** What a provider or a shop pastes into their own site, and which sites may show the page. */
export function OnYourSite({ displayName, link, qr, frame, preview, sites, refused }: Props) {
  const { t } = useLingui();
  const title = t`Book with ${displayName}`;
  const copy = t`Copy`;
  return (
    <Card id="sites" title={t`On your own site`}>
      <PostForm className="grid gap-5">
        <TextArea
          name="embedOn"
          label={t`Sites that may show your page`}
          defaultValue={sites.join('\n')}
          maxLength={limits.embedOn * limits.site}
          isOptional
          refused={refused}
          help={t`One a line, like https://www.example.org. People then book there, without a cookie or a script of ours.`}
        />
        <div>
          <Submit quiet name="intent" value="sites">
            {t`Save the sites`}
          </Submit>
        </div>
      </PostForm>
      {sites.length > 0 && (
        <CopyField label={t`The whole booking, in a frame`} value={frameCode(title, frame)} words={copy} />
      )}
      <CopyField label={t`A link`} value={linkCode(title, link)} words={copy} />
      <CopyField label={t`A button`} value={buttonCode(title, link)} words={copy} />
      <CopyField label={t`The QR code, as a picture`} value={pictureCode(title, qr)} words={copy} />
      <Fold summary={t`How it looks in a frame`} isOpen={false}>
        <iframe src={preview} title={title} loading="lazy" className="h-[620px] w-full rounded-md border border-rule" />
      </Fold>
    </Card>
  );
}
