import { paymentMethodNames } from '@vps/shared/payments'
import { siteInput } from '@vps/shared/site.contract'
import { useForm, type Control } from 'react-hook-form'
import { siteNames } from '../../../about/site-names'
import { trpc, type Inputs, type Outputs } from '../../../api/trpc'
import { contractFaults } from '../../../forms/contract-faults'
import { resolverOf } from '../../../forms/resolver-of'
import type { Compared } from '../parts/compared'
import { FormArea, FormDate, FormSwitch, FormText } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { PlacesField } from './PlacesField'
import type { Section, SiteField } from './sections'

type Values = Inputs['site']['save']

const resolver = resolverOf<Values>((values) => contractFaults(siteInput, values))

/** Edits one section: nothing else is sent. */
export function SectionDialog(props: { section: Section; site: Outputs['site']['get']; onClose: () => void }) {
  const { section, site, onClose } = props
  const utils = trpc.useUtils()
  const save = trpc.site.save.useMutation()
  const form = useForm<Values>({ defaultValues: valuesOf(site, section), resolver })
  return (
    <FormDialog
      title={section.title}
      width={640}
      form={form}
      saved="网站设置已更新"
      failed="更新网站设置失败"
      save={async (values) => {
        await save.mutateAsync(values)
        await Promise.all([utils.site.invalidate(), utils.shop.site.invalidate()])
      }}
      newer={{
        fields: section.names.map((name): Compared<Values> => ({ name, label: siteNames[name] })),
        read: async () => valuesOf(await utils.site.get.fetch(undefined, { staleTime: 0 }), section),
      }}
      onClose={onClose}
    >
      {section.names.map((name) => (
        <Setting key={name} control={form.control} name={name} />
      ))}
    </FormDialog>
  )
}

function Setting({ control, name }: { control: Control<Values>; name: SiteField }) {
  const tied = { control, name, label: siteNames[name] }
  if (name === 'voices' || name in paymentMethodNames) return <FormSwitch {...tied} />
  if (name === 'terms' || name === 'privacy') return <FormArea {...tied} required rows={12} />
  if (name === 'places') return <PlacesField control={control} />
  if (name === 'termsDate' || name === 'privacyDate') return <FormDate {...tied} />
  return <FormText {...tied} maxLength={100} autoComplete="off" />
}

function valuesOf(site: Outputs['site']['get'], { names }: Section): Values {
  const values = Object.fromEntries(names.map((name) => [name, site[name]]))
  return { ...values, version: site.version }
}
