import icons from './icons.svg?url';

/** These point along the line, and so the other way where it runs from right to left. */
const arrows = ['before', 'after', 'back', 'logout'];

// Hidden from screen readers: the words beside the icon say the same.
export const Icon = ({ name }: { name: string }) => (
  <svg aria-hidden="true" className={arrows.includes(name) ? 'icon arrow' : 'icon'} width="20" height="20">
    <use href={`${icons}#${name}`} />
  </svg>
);
