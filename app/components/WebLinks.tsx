type Props = { label: string; links: { name: string; href: string }[] };

/** Links to calendars elsewhere in a row. We tell them nothing until the reader presses one. */
export const WebLinks = ({ label, links }: Props) => (
  <p className="text-sm">
    {label}{' '}
    {links.map(({ name, href }, place) => (
      <span key={name}>
        {place > 0 && ', '}
        <a href={href} rel="noreferrer" data-file="" className="underline underline-offset-4">
          {name}
        </a>
      </span>
    ))}
  </p>
);
