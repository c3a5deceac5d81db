import type { ReactNode } from 'react';
import { MenuButton } from './Sidebar';

/** The title, its letters fading in one by one; one word to whoever hears or copies it. */
function Title({ text }: { text: string }) {
  const letters = [...text].map((letter, place) => ({ letter, key: `${place}${letter}` }));
  return (
    <h1
      key={text}
      tabIndex={-1}
      aria-label={text}
      className="scaled-title line-clamp-3 text-2xl leading-tight outline-none"
    >
      <span aria-hidden="true" className="letters">
        {letters.map(({ letter, key }) => (
          <span key={key}>{letter}</span>
        ))}
      </span>
    </h1>
  );
}

/** For the corner of a page that has no menu. */
export const HomeLink = () => (
  <a
    href="/"
    className="inline-flex min-h-11 items-center font-serif font-semibold text-on-cover underline-offset-4 hover:underline"
  >
    Daybook
  </a>
);

type Props = {
  title: string;
  subtitle?: ReactNode;
  /** What stands at the right of the cover, where not the button of the menu. */
  corner?: ReactNode;
  children: ReactNode;
};

/** A screen inside the shell: the cover with its ribbon, then the page. */
export function Page({ title, subtitle, corner = <MenuButton />, children }: Props) {
  return (
    <>
      <header className="sticky z-10 flex flex-wrap items-center justify-between gap-x-4 border-b-3 border-accent bg-cover px-4 py-3 text-on-cover sm:px-6">
        <div className="flex min-w-min flex-1 basis-0 flex-wrap items-baseline gap-x-4">
          <Title text={title} />
          {subtitle && <p className="line-clamp-2 text-sm opacity-85">{subtitle}</p>}
        </div>
        {corner}
      </header>
      <main id="content" tabIndex={-1} className="scaled slides-in grid max-w-[70rem] gap-6 p-5 outline-none sm:p-8">
        {children}
      </main>
    </>
  );
}
