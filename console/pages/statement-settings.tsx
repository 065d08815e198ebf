import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { StatementSettings } from '../contract.ts';
import { dayOf } from '../format.ts';
import { t } from '../language.ts';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loaded } from '../parts/failed.tsx';
import { SelectField, TextField, useForm } from '../parts/fields.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PartyFields, PartyText, partyOf, partyValues } from '../parts/party.tsx';
import { useQuery } from '../query.ts';
import { may } from '../session.ts';
import { linesOf, requiredNumber } from '../values.ts';
import { StatementTabs } from './statements.tsx';

type Category = StatementSettings['vatCategories']['VISIT'];
const CATEGORIES: readonly Category[] = ['S', 'Z', 'E', 'O'];

/** Who issues statements, and the VAT in prices. */
export default function Settings() {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery('getStatementSettings', {}, ['payments']);
  return (
    <Page title={t('statements.settings')}>
      <StatementTabs />
      <Loaded query={query}>
        {({ data: settings }) => (
          <Section
            title={t('statements.settings')}
            actions={
              may('saveStatementSettings') && (
                <button type="button" onClick={() => setOpen(true)}>
                  {t('act.edit')}
                </button>
              )
            }
          >
            <Facts
              facts={[
                {
                  label: t('statements.seller'),
                  value: settings.seller ? <PartyText party={settings.seller} /> : t('field.none'),
                },
                {
                  label: t('statements.rates'),
                  value: settings.vatRates.map((rate) => (
                    <div key={rate.from}>
                      {t('filter.from')} {dayOf(rate.from)}: {rate.percent}%
                    </div>
                  )),
                },
                { label: t('statements.ofVisits'), value: t(`vat.${settings.vatCategories.VISIT}`) },
                { label: t('statements.ofFees'), value: t(`vat.${settings.vatCategories.FEE}`) },
              ]}
            />
            {isOpen && <SettingsDialog settings={settings} onClose={() => setOpen(false)} />}
          </Section>
        )}
      </Loaded>
    </Page>
  );
}

function SettingsDialog({ settings, onClose }: { settings: StatementSettings; onClose: () => void }) {
  const { seller, vatRates, vatCategories } = settings;
  const form = useForm<Record<string, string>>(
    {
      ...partyValues('seller', seller),
      vatRates: vatRates.map(({ from, percent }) => `${from} ${percent}`).join('\n'),
      'vatCategories.VISIT': vatCategories.VISIT,
      'vatCategories.FEE': vatCategories.FEE,
    },
    ['payments'],
  );
  const categories = CATEGORIES.map((value) => ({ value, label: t(`vat.${value}`) }));
  return (
    <EditDialog
      title={t('statements.settings')}
      form={form}
      onClose={onClose}
      send={(values) =>
        call('saveStatementSettings', {
          body: {
            seller: partyOf('seller', values),
            vatRates: linesOf(values.vatRates!).map((line) => {
              const [from = '', rate = ''] = line.split(/[\s%]+/);
              return { from, percent: requiredNumber(rate) };
            }),
            vatCategories: {
              VISIT: values['vatCategories.VISIT'] as Category,
              FEE: values['vatCategories.FEE'] as Category,
            },
          },
        })
      }
    >
      <PartyFields form={form} prefix="seller" />
      <div class="columns">
        <TextField
          form={form}
          name="vatRates"
          label={t('statements.rates')}
          hint={t('statements.ratesHint')}
          rows={3}
          ltr
          required
        />
        <SelectField
          form={form}
          name="vatCategories.VISIT"
          label={t('statements.ofVisits')}
          options={categories}
        />
        <SelectField
          form={form}
          name="vatCategories.FEE"
          label={t('statements.ofFees')}
          options={categories}
        />
      </div>
    </EditDialog>
  );
}
