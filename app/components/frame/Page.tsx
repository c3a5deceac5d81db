import type { ReactNode } from 'react';
import * as paths from '../../paths';
import { Languages } from './Languages';
import { BookOf, PagesOfBook } from './PagesOfBook';
import { MenuButton } from './Sidebar';
import { usePage, useShell } from './shell';
import { WaysIn } from './WaysIn';

/** Scripts in which a letter looks the same alone. Those of others have another shape beside each other. */
const apart =
  /^[\P{L}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]*$/u;
// A letter with its accents; two letters that are a flag; what is joined to one picture.
const eachLetter = /\p{RI}{2}|[^\p{M}](?:[\p{M}\p{EMod}]|\u200d[^\p{M}])*|\p{M}+/gu;
const eachWord = /\s*\S+\s*/g;

// The letters fade in one by one, joined ones with their word. A screen reader and the clipboard get the whole title.
function Title({ text }: { text: string }) {
  const parts = text.match(apart.test(text) ? eachLetter : eachWord) ?? [];
  const letters = parts.map((letter, place) => ({ letter, key: `${place}${letter}` }));
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

export const HomeLink = () => (
  <a
    href={paths.home()}
    className="inline-flex min-h-11 items-center font-serif font-semibold text-on-cover underline-offset-4 hover:underline"
  >
    Daybook
  </a>
);

/** The menu's button, a stranger's ways in, or the way home where we don't know who reads. */
function Corner() {
  const { shell } = usePage();
  if (!shell) return <HomeLink />;
  return shell.reader ? <MenuButton /> : <WaysIn />;
}

type Props = {
  title: string;
  subtitle?: ReactNode;
  corner?: ReactNode; // stands in the place of the menu's button
  breaksAnywhere?: boolean; // true if the page shows names or titles that people typed, which may be one long word
  isLetter?: boolean; // the page has its own heading on paper
  children: ReactNode;
};

/** On another site, a page says whom it is about, and where they are. */
function Subtitle({ title, children }: { title: string; children: ReactNode }) {
  const { framed } = useShell();
  if (!framed) return children;
  const { name, location } = framed;
  return (
    <>
      {name !== title && (
        <>
          <bdi>{name}</bdi> ·{' '}
        </>
      )}
      <bdi>{location}</bdi>
    </>
  );
}

export function Page({ title, subtitle, corner = <Corner />, breaksAnywhere: isBroken, isLetter, children }: Props) {
  const { framed, book } = useShell();
  const isFramed = framed !== undefined;
  return (
    <>
      <header
        className={`${isLetter ? 'no-print ' : ''}sticky z-10 flex flex-wrap items-center justify-between gap-x-4 border-b-3 border-accent bg-cover px-4 py-3 text-on-cover sm:px-6`}
      >
        <div
          className={`flex flex-1 basis-0 flex-wrap items-baseline gap-x-4 ${isBroken ? 'min-w-0 wrap-anywhere' : 'min-w-min'}`}
        >
          <Title text={title} />
          {(subtitle || isFramed || book) && (
            <p className="line-clamp-2 text-sm opacity-85">
              {book ? <BookOf {...book} /> : <Subtitle title={title}>{subtitle}</Subtitle>}
            </p>
          )}
        </div>
        {corner}
      </header>
      <main
        id="content"
        tabIndex={-1}
        className={`scaled slides-in mx-auto grid w-full max-w-[70rem] gap-6 outline-none ${isFramed ? 'p-2' : 'p-5 sm:p-8'}`}
      >
        {book && !book.isShop && <PagesOfBook />}
        {children}
      </main>
      <Languages />
    </>
  );
}
