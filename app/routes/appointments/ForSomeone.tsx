import { Card } from '../../components/Card';
import { TextArea, TextField } from '../../components/Field';
import { PostForm, Submit } from '../../components/Form';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';

/** Books an open slot for whoever walks in or calls. */
export const ForSomeone = ({ refused }: { refused?: Refusal }) => (
  <Card title="Book for someone" id="for-someone">
    <p className="text-muted">For whoever walks in or calls. You get a link for them, to see, change or cancel it.</p>
    <PostForm className="grid max-w-2xl gap-5">
      <input type="hidden" name="intent" value="book-for" />
      <TextField name="displayName" label="Name" required maxLength={limits.displayName} refused={refused} />
      <TextField name="email" label="E-mail" type="email" isOptional maxLength={limits.email} refused={refused} />
      <TextArea
        name="note"
        label="Private note"
        isOptional
        maxLength={limits.privateNote}
        help="For you alone."
        refused={refused}
      />
      <div>
        <Submit>Book for them</Submit>
      </div>
    </PostForm>
  </Card>
);
