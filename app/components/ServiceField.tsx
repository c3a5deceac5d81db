type Props = { service: string | null; startsAt: number; endsAt: number };

/** Hidden fields: the service to book, and how long it takes as the page says it. */
export const ServiceField = ({ service, startsAt, endsAt }: Props) =>
  service && (
    <>
      <input type="hidden" name="service" value={service} />
      <input type="hidden" name="minutes" value={(endsAt - startsAt) / 60_000} />
    </>
  );
