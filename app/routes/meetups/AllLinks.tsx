import { useLingui } from '@lingui/react/macro';
import { Card } from '../../components/Card';
import type { Attendee } from '../../domain/parties/parties';
import { personalLink } from './links';

export function AllLinks({ attendees, origin }: { attendees: Attendee[]; origin: string }) {
  const { t } = useLingui();
  const links = attendees.map((attendee) => `${attendee.name}: ${personalLink(origin, attendee)}`).join('\n');
  return (
    <Card title={t`All links in one text`}>
      <label className="grid gap-2 text-sm text-muted">
        {t`To paste into a message`}
        <textarea
          readOnly
          rows={8}
          defaultValue={links}
          className="w-full rounded-md border-[1.5px] border-edge bg-paper p-3 text-base text-ink"
        />
      </label>
    </Card>
  );
}
