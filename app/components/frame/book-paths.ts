import { type BookPaths, bookPaths } from '../../book-paths';
import { useShell } from './shell';

/** The pages of the book that this page is of: the reader's own, or a colleague's. */
export const useBookPaths = (): BookPaths => bookPaths(useShell().book?.username);
