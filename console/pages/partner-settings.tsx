import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { MESSAGE_KINDS, type Partner, type UpdatePartnerRequest } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { t } from '../language.ts';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import {
  CheckField,
  ChoicesField,
  type FormState,
  SelectField,
  TextField,
  useForm,
} from '../parts/fields.tsx';
import { Section } from '../parts/page.tsx';
import { may } from '../session.ts';
import { linesOf, numberOf } from '../values.ts';

/** Settings of a partner, and their form. */

export type PartnerValues = {
  name: string;
  paymentResponsibility: string;
  rateLimitPerMinute: string;
  language: string;
  allowedDomains: string;
  sandboxDomains: string;
  allowedWebhookDomains: string;
  requireHttpsWebhooks: boolean;
  trackingPage: boolean;
  pageColour: string;
  contactNumber: string;
  contactTextEn: string;
  contactTextAr: string;
  customerMessages: readonly string[];
};

/** The form's values; null: a new partner. */
export function valuesOf(partner: Partner | null): PartnerValues {
  return {
    name: partner?.name ?? '',
    paymentResponsibility: partner?.paymentResponsibility ?? 'PARTNER',
    rateLimitPerMinute: String(partner?.rateLimitPerMinute ?? ''),
    language: partner?.language ?? 'en',
    allowedDomains: partner?.allowedDomains.join('\n') ?? '',
    sandboxDomains: partner?.sandboxDomains.join('\n') ?? '',
    allowedWebhookDomains: partner?.allowedWebhookDomains.join('\n') ?? '',
    requireHttpsWebhooks: partner?.requireHttpsWebhooks ?? true,
    trackingPage: partner?.trackingPage ?? false,
    pageColour: partner?.pageColour ?? '',
    contactNumber: partner?.contactNumber ?? '',
    contactTextEn: partner?.contactTextEn ?? '',
    contactTextAr: partner?.contactTextAr ?? '',
    customerMessages: partner?.customerMessages ?? [],
  };
}

export function bodyOf(values: PartnerValues): UpdatePartnerRequest {
  return {
    name: values.name,
    paymentResponsibility: values.paymentResponsibility as Partner['paymentResponsibility'],
    rateLimitPerMinute: numberOf(values.rateLimitPerMinute) ?? null,
    language: values.language as Partner['language'],
    allowedDomains: linesOf(values.allowedDomains),
    sandboxDomains: linesOf(values.sandboxDomains),
    allowedWebhookDomains: linesOf(values.allowedWebhookDomains),
    requireHttpsWebhooks: values.requireHttpsWebhooks,
    trackingPage: values.trackingPage,
    pageColour: values.pageColour.trim().toLowerCase() || null,
    contactNumber: values.contactNumber.replaceAll(' ', '') || null,
    contactTextEn: values.contactTextEn.trim() || null,
    contactTextAr: values.contactTextAr.trim() || null,
    customerMessages: values.customerMessages as Partner['customerMessages'],
  };
}

export const moneyName = (responsibility: Partner['paymentResponsibility']): string =>
  responsibility === 'PARTNER' ? t('partners.byPartner') : t('partners.byPlatform');

const languageName = (language: Partner['language']): string =>
  language === 'en' ? t('partners.english') : t('partners.arabic');

export function PartnerFields({ form }: { form: FormState<PartnerValues> }) {
  return (
    <>
      <TextField form={form} name="name" label={t('partners.name')} hint={t('partners.nameHint')} required />
      <div class="columns">
        <SelectField
          form={form}
          name="paymentResponsibility"
          label={t('partners.money')}
          hint={t('partners.moneyHint')}
          options={(['PARTNER', 'PLATFORM'] as const).map((value) => ({ value, label: moneyName(value) }))}
        />
        <TextField
          form={form}
          name="rateLimitPerMinute"
          label={t('partners.limit')}
          hint={t('partners.limitHint')}
          type="number"
          ltr
        />
        <SelectField
          form={form}
          name="language"
          label={t('partners.language')}
          options={(['en', 'ar'] as const).map((value) => ({ value, label: languageName(value) }))}
        />
      </div>
      <div class="columns">
        <TextField
          form={form}
          name="allowedDomains"
          label={t('partners.allowedDomains')}
          hint={t('partners.allowedDomainsHint')}
          rows={3}
          ltr
        />
        <TextField
          form={form}
          name="allowedWebhookDomains"
          label={t('partners.hookDomains')}
          hint={t('partners.hookDomainsHint')}
          rows={3}
          ltr
        />
        <TextField
          form={form}
          name="sandboxDomains"
          label={t('partners.sandboxDomains')}
          hint={t('partners.sandboxDomainsHint')}
          rows={3}
          ltr
        />
      </div>
      <CheckField form={form} name="requireHttpsWebhooks" label={t('partners.https')} />
      <CustomerFields form={form} />
    </>
  );
}

/** Page and messages for the partner's customers. */
function CustomerFields({ form }: { form: FormState<PartnerValues> }) {
  return (
    <>
      <CheckField
        form={form}
        name="trackingPage"
        label={t('customers.page')}
        hint={t('customers.pageHint')}
      />
      <div class="columns">
        <TextField
          form={form}
          name="pageColour"
          label={t('customers.colour')}
          hint={t('customers.colourHint')}
          ltr
        />
        <TextField form={form} name="contactNumber" label={t('customers.number')} ltr />
      </div>
      <div class="columns">
        <TextField form={form} name="contactTextEn" label={t('customers.textEn')} ltr />
        <TextField form={form} name="contactTextAr" label={t('customers.textAr')} rtl />
      </div>
      <ChoicesField
        form={form}
        name="customerMessages"
        label={t('customers.messages')}
        options={MESSAGE_KINDS.map((value) => ({ value, label: t(`customers.${value}`) }))}
      />
      <p class="faint">{t('customers.messagesHint')}</p>
    </>
  );
}

export function PartnerSettings({ partner }: { partner: Partner }) {
  const [isOpen, setOpen] = useState(false);
  const domains = (list: readonly string[], none: string) =>
    list.length === 0 ? none : <code>{list.join(', ')}</code>;
  return (
    <Section
      title={t('partners.settings')}
      actions={
        may('updatePartner') && (
          <button type="button" onClick={() => setOpen(true)}>
            {t('partners.edit')}
          </button>
        )
      }
    >
      <Facts
        facts={[
          { label: t('partners.money'), value: moneyName(partner.paymentResponsibility) },
          {
            label: t('partners.limit'),
            value:
              partner.rateLimitPerMinute === null
                ? t('partners.noLimit')
                : number(partner.rateLimitPerMinute),
          },
          { label: t('partners.language'), value: languageName(partner.language) },
          {
            label: t('partners.https'),
            value: partner.requireHttpsWebhooks ? t('field.yes') : t('field.no'),
          },
          {
            label: t('partners.allowedDomains'),
            value: domains(partner.allowedDomains, t('partners.any')),
          },
          {
            label: t('partners.hookDomains'),
            value: domains(partner.allowedWebhookDomains, t('field.none')),
          },
          { label: t('partners.sandboxDomains'), value: domains(partner.sandboxDomains, t('field.none')) },
          { label: t('customers.page'), value: partner.trackingPage ? t('field.yes') : t('field.no') },
          {
            label: t('customers.messages'),
            value:
              partner.customerMessages.map((kind) => t(`customers.${kind}`)).join(' · ') || t('field.none'),
          },
          { label: t('field.created'), value: dateTime(partner.createdAt) },
          { label: t('field.id'), value: <code>{partner.id}</code> },
        ]}
      />
      {isOpen && <EditPartner partner={partner} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function EditPartner({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const form = useForm(valuesOf(partner), ['partners']);
  return (
    <EditDialog
      title={t('partners.edit')}
      form={form}
      onClose={onClose}
      send={(values) => call('updatePartner', { id: partner.id, body: form.changed(bodyOf(values)) })}
    >
      <PartnerFields form={form} />
    </EditDialog>
  );
}
