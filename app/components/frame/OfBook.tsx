import { useShell } from './shell';

/** Keeps whose book it is in a form that is sent as an address: such a form drops the query of its own. */
export function OfBook() {
  const { book } = useShell();
  return book && <input type="hidden" name="of" value={book.username} />;
}
