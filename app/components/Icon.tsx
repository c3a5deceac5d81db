import icons from './icons.svg?url';

/** An icon of the menu by its name in icons.svg; the words beside it say the same. */
export const Icon = ({ name }: { name: string }) => (
  <svg aria-hidden="true" className="icon" width="20" height="20">
    <use href={`${icons}#${name}`} />
  </svg>
);
