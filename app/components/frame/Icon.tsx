import icons from './icons.svg?url';

// Hidden from screen readers: the words beside the icon say the same.
export const Icon = ({ name }: { name: string }) => (
  <svg aria-hidden="true" className="icon" width="20" height="20">
    <use href={`${icons}#${name}`} />
  </svg>
);
