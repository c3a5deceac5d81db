/** Counting stops here, because each unread message is a row read with each page: a menu says '9+'. */
export const mostUnread = 10;
