import { useLingui } from '@lingui/react/macro';
import { Fold } from '../../components/Fold';
import { Select, TextArea, TextField } from '../../components/forms/Field';
import { TemplateSelect } from '../../components/forms/TemplateSelect';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { OwnService } from '../../domain/services/services';
import { wheres } from '../../domain/services/where';
import { whereChoices } from '../../domain/services/where-choices';

type Props = {
  service?: OwnService;
  templates: { id: string; displayName: string }[];
  refused?: Refusal;
  isOfShop?: boolean; // the shop says all but its length and prices
};

const { service: limit, minutes } = limits;

export function ServiceFields({ service, templates, refused, isOfShop = false }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const number = { type: 'number', inputMode: 'numeric', refused } as const;
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        {!isOfShop && (
          <TextField
            name="name"
            label={t`Name`}
            required
            maxLength={limit.name}
            defaultValue={service?.name}
            refused={refused}
          />
        )}
        <TextField
          {...number}
          name="minutes"
          label={t`Length in minutes`}
          required
          min={minutes.min}
          max={minutes.max}
          defaultValue={service?.minutes}
        />
        <TextField
          name="price"
          label={t`Price`}
          isOptional
          maxLength={limit.price}
          defaultValue={service?.price ?? ''}
          placeholder="25 €"
          refused={refused}
          help={t`Shown as you type it.`}
        />
        <TextField
          name="deposit"
          label={t`Deposit`}
          isOptional
          maxLength={limit.deposit}
          defaultValue={service?.deposit ?? ''}
          placeholder="10 €"
          refused={refused}
          help={t`Asked for once it is booked, if your profile says how it is paid.`}
        />
      </div>
      {!isOfShop && (
        <Fold
          summary={t`Gap, places, where, description and questions`}
          isOpen={service !== undefined || refused !== undefined}
          className=""
        >
          <div className="grid gap-5 pt-2">
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField
                {...number}
                name="gap"
                label={t`Minutes kept free after it`}
                min={0}
                max={limit.gap}
                defaultValue={service?.gap ?? 0}
              />
              <TextField
                {...number}
                name="seats"
                label={t`People at one time`}
                min={1}
                max={limit.seats}
                defaultValue={service?.seats ?? 1}
                help={t`More than one makes it a class: you publish its times for it in Hours or Free times.`}
              />
            </div>
            <div className="grid gap-5 sm:grid-cols-2">
              <Select name="where" label={t`Where`} defaultValue={service?.where ?? 'here'} refused={refused}>
                {wheres.map((where) => (
                  <option key={where} value={where}>
                    {words(whereChoices[where])}
                  </option>
                ))}
              </Select>
              <TextField
                name="link"
                label={t`Link of the video call`}
                type="url"
                isOptional
                maxLength={limit.link}
                defaultValue={service?.link ?? ''}
                refused={refused}
                help={t`For video only. Only people who have booked see it.`}
              />
            </div>
            <TextArea
              name="description"
              label={t`Description`}
              isOptional
              maxLength={limit.description}
              defaultValue={service?.description ?? ''}
              refused={refused}
              help={t`Read once it is chosen.`}
            />
            <TemplateSelect templates={templates} chosen={service?.templateId} refused={refused} />
          </div>
        </Fold>
      )}
    </>
  );
}
