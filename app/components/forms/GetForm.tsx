import { Form } from '@remix-run/react';
import type { ComponentProps, ReactNode } from 'react';
import { useShell } from '../frame/shell';

/** A form that is sent as an address. It keeps whose book it is, because such a form drops the query of its own address. */
export function GetForm({
  children,
  ...rest
}: { children: ReactNode } & Omit<ComponentProps<typeof Form>, 'method' | 'children'>) {
  const { book } = useShell();
  return (
    <Form method="get" {...rest}>
      {book && <input type="hidden" name="of" value={book.username} />}
      {children}
    </Form>
  );
}
